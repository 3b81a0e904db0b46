using System.Runtime.InteropServices;

namespace CamCube.Calls;

/// <summary>
/// Which run of a server speaks, and what its clock says: in every answer and refusal, so that whoever asks learns
/// whom to mean next and which deadline to set. 16 bytes, little-endian. The service puts it into its answers' heads.
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 4)]
public struct RootStamp
{
    /// <summary>Bytes of this struct.</summary>
    public const int Size = 16;

    /// <summary>Run of the server that speaks: <see cref="Messaging.MessageChannel{THeader}.Run"/>.</summary>
    public ulong Run;

    /// <summary>Its clock: <see cref="IServer.NowNanos"/>.</summary>
    public long NowNanos;

    /// <summary>This run, now.</summary>
    /// <param name="server">The server that speaks.</param>
    /// <param name="run">Its run.</param>
    public static RootStamp Of(IServer server, ulong run)
    {
        ArgumentNullException.ThrowIfNull(server);
        return new RootStamp { Run = run, NowNanos = server.NowNanos };
    }
}
