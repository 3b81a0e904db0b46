using System.Runtime.InteropServices;

namespace CamCube.Services.Diagnostics;

/// <summary>Header of every packet of the diagnostics service: 24 bytes, little-endian.</summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
public struct DiagnosticsHeader
{
    /// <summary>What the packet is.</summary>
    public DiagnosticsKind Kind;

    /// <summary>Not used; zero.</summary>
    public byte Reserved;

    /// <summary>Changed at every hop, there and back (HPDC §4.2): the hops made so far.</summary>
    public ushort Counter;

    /// <summary>Hops on the way there, filled in when the packet turns round.</summary>
    public uint HopsThere;

    /// <summary>Id of the question (<see cref="ReplyTable{T}"/>).</summary>
    public ulong Question;

    /// <summary>Server time at which it was sent, of the sender.</summary>
    public long SentNanos;
}
