using System.Net.Sockets;
using CamCube.Linux;
using Microsoft.Win32.SafeHandles;

namespace CamCube.FrontEnds.Descriptors;

/// <summary>A client of a <see cref="DescriptorServer"/>. One receives and one sends at a time; any thread may end
/// it. Nothing throws for what a client does.</summary>
public sealed class DescriptorConnection : IDisposable
{
    private readonly Socket _socket;
    private readonly TimeSpan _messageTime;
    private readonly TimeProvider _time;
    private readonly byte[] _peeked = new byte[1];
    private Task<bool>? _next;
    private SafeFileHandle? _passed;

    internal DescriptorConnection(Socket socket, TimeSpan messageTime, TimeProvider time) =>
        (_socket, _messageTime, _time) = (socket, messageTime, time);

    /// <summary>Ends when bytes are there that were not received (true), or the client is gone (false).</summary>
    public Task<bool> Next => _next ??= PeekAsync();

    /// <summary>Receives all of some bytes. False: the client is gone, or took longer than a message may.</summary>
    /// <param name="bytes">Where they go.</param>
    /// <param name="isPatient">Whether the first of them may take as long as it wants.</param>
    public async Task<bool> ReceiveAsync(Memory<byte> bytes, bool isPatient)
    {
        using var limit = new CancellationTokenSource(Timeout.InfiniteTimeSpan, _time);
        await using CancellationTokenRegistration ends = limit.Token.Register(
            static connection => ((DescriptorConnection)connection!).Dispose(),
            this
        );
        if (!isPatient)
        {
            limit.CancelAfter(_messageTime);
        }

        for (int at = 0; at < bytes.Length; )
        {
            if (!await Next)
            {
                return false;
            }

            _next = null;
            int count = Receive(bytes.Span[at..]);
            if (count <= 0 && count != -SystemError.Again)
            {
                return false;
            }

            if (at == 0 && isPatient)
            {
                limit.CancelAfter(_messageTime);
            }

            at += Math.Max(0, count);
        }

        return true;
    }

    /// <summary>The last descriptor that was passed and not taken, the caller's from now on; null: none.</summary>
    public SafeFileHandle? TakePassed()
    {
        SafeFileHandle? passed = _passed;
        _passed = null;
        return passed;
    }

    /// <summary>Sends bytes. False: the client is gone.</summary>
    public async Task<bool> SendAsync(ReadOnlyMemory<byte> bytes)
    {
        try
        {
            while (bytes.Length > 0)
            {
                bytes = bytes[await _socket.SendAsync(bytes, SocketFlags.None)..];
            }

            return true;
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            return false;
        }
    }

    /// <summary>Ends it.</summary>
    public void Dispose() => _socket.Dispose();

    /// <summary>Closes what was passed and not taken, when nobody receives any more.</summary>
    internal void Forget() => TakePassed()?.Dispose();

    private int Receive(Span<byte> bytes)
    {
        try
        {
            if (!OperatingSystem.IsLinux())
            {
                return 0;
            }

            int count = DescriptorSocket.Receive(_socket.SafeHandle, bytes, out SafeFileHandle? passed);
            if (passed is not null)
            {
                _passed?.Dispose();
                _passed = passed;
            }

            return count;
        }
        catch (ObjectDisposedException)
        {
            return 0;
        }
    }

    private async Task<bool> PeekAsync()
    {
        try
        {
            return await _socket.ReceiveAsync(_peeked.AsMemory(), SocketFlags.Peek) > 0;
        }
        catch (Exception e) when (e is SocketException or ObjectDisposedException)
        {
            return false;
        }
    }
}
