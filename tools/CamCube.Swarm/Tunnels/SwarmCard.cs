using CamCube.Services.Tunnel.Cards;

namespace CamCube.Swarm.Tunnels;

/// <summary>The network card of one server in a swarm run, and what makes it. Its machine is the workload.</summary>
internal sealed class SwarmCard : ICard, ICardMaker
{
    private readonly Queue<byte[]> _sent = [];
    private Func<bool>? _read;

    /// <summary>Is given each frame that the machine receives, virtio header first.</summary>
    public Action<ReadOnlySpan<byte>>? Received { get; set; }

    /// <summary>Whether the tunnel of its server has it.</summary>
    public bool IsOpen => _read is not null;

    /// <inheritdoc/>
    public string Offloads => "all";

    /// <inheritdoc/>
    public bool IsGone => false;

    /// <inheritdoc/>
    public ICard Open(CardTerms terms) => this;

    /// <inheritdoc/>
    public bool TryBegin(IServerLoop loop, Func<bool> read)
    {
        _read = read;
        return true;
    }

    /// <summary>The machine sends a frame, virtio header first. On the server's loop.</summary>
    public void Send(byte[] frame)
    {
        if (_read is not null)
        {
            _sent.Enqueue(frame);
            while (_read()) { }
        }
    }

    /// <inheritdoc/>
    public int Read(Span<byte> frame)
    {
        if (!_sent.TryDequeue(out byte[]? next))
        {
            return 0;
        }

        int length = Math.Min(next.Length, frame.Length);
        next.AsSpan(0, length).CopyTo(frame);
        return length;
    }

    /// <inheritdoc/>
    public bool Write(ReadOnlySpan<byte> frame)
    {
        Received?.Invoke(frame);
        return true;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _read = null;
        _sent.Clear();
    }

    /// <summary>The server is gone with all that it had.</summary>
    public void Lose() => Dispose();
}
