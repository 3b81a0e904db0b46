namespace CamCube.Messaging.Streams.Wire;

/// <summary>Packet numbers are 32 bits on the wire and 64 here.</summary>
internal static class Serial
{
    /// <summary>The number with these low bits that is nearest to another.</summary>
    public static long Expand(uint wire, long near) => near + (int)(wire - (uint)near);
}
