using CamCube.Experiments.Catalog.Cables;
using CamCube.Experiments.Catalog.Camdoop;
using CamCube.Experiments.Catalog.Images;
using CamCube.Experiments.Catalog.KeyValues;
using CamCube.Experiments.Catalog.Streams;
using CamCube.Experiments.Figures;

namespace CamCube.Experiments.Catalog;

/// <summary>All figures, in the order in which they are listed and run.</summary>
public static class FigureCatalog
{
    /// <summary>The figures.</summary>
    public static IReadOnlyList<IFigure> All { get; } =
    [
        new ThroughputBySize(),
        new ThroughputByFailures(),
        new DeliveryUnderChurn(),
        new TransferGain(),
        new MulticastLinks(),
        new HotSpotLoad(),
        new ExtendedRoutingCost(),
        new KeySpaceBalance(),
        new TopologyNumbers(),
        new CodeSizeFigure(),
        new StreamFigure(),
        new KeyValueFigure(),
        new ImagesFigure(),
        new DistributionFigure(),
        new AllReduceFigure(),
        .. CamdoopFigures.All,
        new AggregationLinks(),
        new TreeLinks(),
        new SymbioticServices(),
        new TunnelPathsFigure(),
        new TunnelAllToAll(),
        new Fig4OnCables(),
        new LibRipcOnCables(),
        new CablesFigure(),
    ];
}
