namespace CamCube.Services.Tunnel.Receiving;

/// <summary>Where frames go that are whole. Loop only.</summary>
internal interface IFrameEnd
{
    /// <summary>A frame that was put together; it is as it was sent, but may be any bytes.</summary>
    void Deliver(JoinedFrame frame);
}
