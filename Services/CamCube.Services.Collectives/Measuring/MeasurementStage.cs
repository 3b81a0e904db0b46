namespace CamCube.Services.Collectives.Measuring;

/// <summary>Where a measurement is.</summary>
internal enum MeasurementStage
{
    /// <summary>It goes on.</summary>
    Running = 0,

    /// <summary>All sizes are measured.</summary>
    Done = 1,

    /// <summary>It has ended before.</summary>
    Failed = 2,
}
