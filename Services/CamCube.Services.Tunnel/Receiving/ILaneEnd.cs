namespace CamCube.Services.Tunnel.Receiving;

/// <summary>Where packets of a lane go that are in order. Loop only.</summary>
internal interface ILaneEnd
{
    /// <summary>The next packet; it stays the lane's.</summary>
    void Deliver(Packet packet);

    /// <summary>The packet that has just come waits, and is the lane's from now on.</summary>
    void Keep(Packet packet);

    /// <summary>A packet that waited is not needed any more; it is owned from now on.</summary>
    void Release(Packet packet);
}
