using CamCube;

namespace EchoSample;

/// <summary>Counts the lines that clients of this server have sent.</summary>
[CamCubeService(0x7007, "echo")]
public sealed class EchoService(IServer server) : CamCubeService
{
    private readonly Counter _lines = server.Counters.Create("lines", "{line}");
    private long _last;

    /// <summary>The number of the next line.</summary>
    public long Next()
    {
        _lines.Add();
        return ++_last;
    }

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet) => Verdict.Consume;
}
