namespace CamCube.Services.Tunnel.Receiving;

/// <summary>What became of a packet that came.</summary>
internal enum Arrival
{
    /// <summary>It was handed on, and is the caller's to take back.</summary>
    Delivered = 0,

    /// <summary>It waits, and is the lane's.</summary>
    Waits = 1,

    /// <summary>It had come before, or long ago, and is the caller's.</summary>
    Repeated = 2,
}
