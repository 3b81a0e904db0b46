namespace CamCube.Shim.Switch.Connections;

/// <summary>What the connections tell the links. Loop only.</summary>
internal interface ISwitchEvents
{
    /// <summary>A server is not connected any more; so many frames that waited for it are lost.</summary>
    void Closed(SwitchPeer peer, int lost, long now);

    /// <summary>Something came that is thrown away.</summary>
    void Dropped(DropReason reason);
}
