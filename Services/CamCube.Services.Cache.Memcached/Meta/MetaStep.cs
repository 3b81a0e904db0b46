namespace CamCube.Services.Cache.Memcached.Meta;

/// <summary>What is to be read behind a meta command's line.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="Length">Its bytes, without the line end behind them.</param>
internal readonly record struct MetaStep(MetaStepKind Kind, int Length)
{
    /// <summary>The next command follows.</summary>
    public static MetaStep Nothing => default;
}
