namespace CamCube.Services.Tunnel.Sending;

/// <summary>What becomes of the packet at the head of a queue.</summary>
internal enum CodelFate
{
    /// <summary>It leaves.</summary>
    Keep = 0,

    /// <summary>It leaves, and says that it waited too long.</summary>
    Mark = 1,

    /// <summary>It is dropped, and the next one is looked at.</summary>
    Drop = 2,
}
