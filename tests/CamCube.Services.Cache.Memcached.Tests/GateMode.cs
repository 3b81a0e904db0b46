namespace CamCube.Services.Cache.Memcached.Tests;

internal enum GateMode
{
    /// <summary>Calls end before they return.</summary>
    Direct,

    /// <summary>Calls end on a pool thread.</summary>
    Pool,

    /// <summary>Calls end when the test releases them.</summary>
    Held,
}
