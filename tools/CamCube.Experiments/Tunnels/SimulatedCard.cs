using CamCube.Services.Tunnel.Cards;

namespace CamCube.Experiments.Tunnels;

/// <summary>A network card whose machine is the experiment, or the test.</summary>
internal sealed class SimulatedCard(CardTerms terms) : ICard
{
    private readonly Queue<byte[]> _sent = [];
    private Func<bool>? _read;

    public CardTerms Terms { get; } = terms;

    /// <summary>Is given each frame that the machine receives, with its virtio header.</summary>
    public Action<ReadOnlySpan<byte>>? Received { get; set; }

    /// <summary>Where frames come from besides <see cref="Send"/>.</summary>
    public Func<byte[]?>? Source { get; set; }

    public string Offloads => "sums, TCP, UDP";

    public bool IsGone { get; set; }

    public bool IsClosed { get; private set; }

    /// <summary>The machine sends a frame, virtio header first.</summary>
    public void Send(byte[] frame)
    {
        _sent.Enqueue(frame);
        Poll();
    }

    /// <summary>Lets the tunnel read all there is.</summary>
    public void Poll()
    {
        while (_read!()) { }
    }

    public bool TryBegin(IServerLoop loop, Func<bool> read)
    {
        _read = read;
        return true;
    }

    public int Read(Span<byte> frame)
    {
        if (!_sent.TryDequeue(out byte[]? next) && (next = Source?.Invoke()) is null)
        {
            return 0;
        }

        // As a TAP does it: what does not fit is cut off.
        int length = Math.Min(next.Length, frame.Length);
        next.AsSpan(0, length).CopyTo(frame);
        return length;
    }

    public bool Write(ReadOnlySpan<byte> frame)
    {
        Received?.Invoke(frame);
        return true;
    }

    public void Dispose() => IsClosed = true;
}
