package engine;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import org.opensearch.Version;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessModulePlugin;
import org.opensearch.plugins.ExtensiblePlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.plugins.PluginInfo;

/**
 * Starts one OpenSearch node whose modules come from the class path.
 *
 * <p>Usage: {@code OpenSearchNode HOME PORT}. HOME gets the sub-folders config, data and logs.
 * HTTP listens on 127.0.0.1:PORT and the node-to-node transport on 127.0.0.1:PORT+100.
 */
public final class OpenSearchNode extends Node {

    /** The modules of the min distribution that Maven Central serves as jars. */
    private static final List<Class<? extends Plugin>> MODULES = List.of(
        org.opensearch.transport.Netty4ModulePlugin.class,
        org.opensearch.analysis.common.CommonAnalysisModulePlugin.class,
        PainlessModulePlugin.class,
        org.opensearch.index.reindex.ReindexModulePlugin.class,
        org.opensearch.join.ParentJoinModulePlugin.class,
        org.opensearch.index.mapper.MapperExtrasModulePlugin.class,
        org.opensearch.search.aggregations.matrix.MatrixAggregationModulePlugin.class,
        org.opensearch.index.rankeval.RankEvalModulePlugin.class,
        org.opensearch.script.mustache.MustacheModulePlugin.class,
        org.opensearch.ingest.common.IngestCommonModulePlugin.class,
        org.opensearch.percolator.PercolatorModulePlugin.class,
        org.opensearch.script.expression.ExpressionModulePlugin.class,
        org.opensearch.geo.GeoModulePlugin.class);

    private OpenSearchNode(Environment environment, Stream<PluginInfo> modules) {
        super(environment, modules.toList(), true);
    }

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]).toAbsolutePath();
        int port = Integer.parseInt(args[1]);
        String name = "node-" + port;
        Files.createDirectories(home.resolve("config"));

        Settings settings = Settings.builder()
            .put("cluster.name", "opensearch-" + port)
            .put("node.name", name)
            .put("path.home", home.toString())
            .put("path.data", home.resolve("data").toString())
            .put("path.logs", home.resolve("logs").toString())
            .put("path.repo", home.resolve("repo").toString())
            .put("network.host", "127.0.0.1")
            .put("http.port", port)
            .put("transport.port", port + 100)
            .put("discovery.type", "single-node")
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .put("action.destructive_requires_name", true) // as Elasticsearch 8 has it
            .build();
        Environment environment =
            InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), home.resolve("config"), () -> name);
        LogConfigurator.setNodeName(name);
        LogConfigurator.configure(environment);
        allowExtensionsInPainless();

        Node node = new OpenSearchNode(environment, MODULES.stream().map(OpenSearchNode::describe));
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                node.close();
            } catch (Exception e) {
                e.printStackTrace();
            }
            stopped.countDown();
        }, "node-shutdown"));
        node.start();
        stopped.await();
    }

    private static PluginInfo describe(Class<? extends Plugin> module) {
        return new PluginInfo(module.getName(), "class path module", Version.CURRENT.toString(), Version.CURRENT,
            Integer.toString(Runtime.version().feature()), module.getName(), List.of(), false);
    }

    /**
     * A distribution lets modules add to the list of what painless may call; for modules of the
     * class path the server skips that step. Painless keeps one list, so filling it here will do.
     */
    private static void allowExtensionsInPainless() {
        new PainlessModulePlugin().loadExtensions(new ExtensiblePlugin.ExtensionLoader() {
            @Override
            public <T> List<T> loadExtensions(Class<T> type) {
                return ServiceLoader.load(type).stream().map(ServiceLoader.Provider::get).toList();
            }
        });
    }
}
