namespace CamCube.Cables;

/// <summary>How the cabling protocol sends. Loop only.</summary>
public interface ICablingSender
{
    /// <summary>Sends a control frame on a port. False: the port has no room now; whoever cares tries again
    /// later.</summary>
    bool TrySend(int port, ReadOnlySpan<byte> frame);
}
