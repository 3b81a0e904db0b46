using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using CamCube.Linux;

namespace CamCube.Shim.Switch.Connections;

/// <summary>A TCP connection and what was received on it and not used yet. Loop only.</summary>
/// <param name="socket">The socket, non-blocking; closed with this.</param>
/// <param name="slot">The key it is watched under.</param>
/// <param name="now">When it began.</param>
[SupportedOSPlatform("linux")]
internal sealed class Connection(SafeHandle socket, int slot, long now) : IDisposable
{
    // Two of the longest records at least, so that there is always room behind a whole one.
    private const int BufferBytes = 64 << 10;
    private readonly int _descriptor = (int)socket.DangerousGetHandle();
    private readonly byte[] _bytes = new byte[BufferBytes];
    private int _start;
    private int _end;

    public SafeHandle Socket => socket;

    public int Slot => slot;

    /// <summary>Whose it is; null: nobody has said so yet.</summary>
    public SwitchPeer? Peer { get; set; }

    public ConnectionState State { get; set; }

    /// <summary>When it began.</summary>
    public long Began { get; } = now;

    /// <summary>When something came last, or it began.</summary>
    public long HeardAt { get; set; } = now;

    /// <summary>When something left last, or it began.</summary>
    public long SentAt { get; set; } = now;

    /// <summary>Whether it is watched for room.</summary>
    public bool WantsRoom { get; set; }

    /// <summary>In a list of those that have something to be read.</summary>
    public bool IsListed { get; set; }

    /// <summary>Sending failed; it is closed when that can be done.</summary>
    public string? Fault { get; set; }

    /// <summary>What came and was not used.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(_start.._end);

    /// <summary>It was used.</summary>
    public void Use(int count) => _start += count;

    /// <summary>Takes what is there. The bytes, 0 at the end, or minus the error.</summary>
    public int Receive()
    {
        if (_start > 0)
        {
            _bytes.AsSpan(_start.._end).CopyTo(_bytes);
            (_start, _end) = (0, _end - _start);
        }

        int count = StreamSocket.Receive(_descriptor, _bytes.AsSpan(_end));
        _end += Math.Max(count, 0);
        return count;
    }

    /// <summary>Sends what the system takes. The bytes, or minus the error.</summary>
    public int Send(ReadOnlySpan<byte> bytes) => StreamSocket.Send(_descriptor, bytes);

    /// <inheritdoc/>
    public void Dispose() => socket.Dispose();
}
