namespace CamCube.Loads.Tests.Kit;

/// <summary>What a <see cref="RedisFake"/> does wrong.</summary>
public enum RedisFault
{
    /// <summary>Nothing.</summary>
    None,

    /// <summary>Some reads bring the value before the last.</summary>
    StaleRead,

    /// <summary>Some writes are acknowledged and not done.</summary>
    LostWrite,

    /// <summary>Some sums are told and not kept.</summary>
    LostSum,

    /// <summary>Transactions are done though what they watch has changed.</summary>
    WatchesNothing,

    /// <summary>SET XX writes where there is no key.</summary>
    IgnoresCondition,

    /// <summary>Some reads bring the value of another key.</summary>
    Foreign,
}
