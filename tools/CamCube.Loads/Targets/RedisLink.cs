using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using CamCube.Linux;
using CamCube.Loads.Resp;

namespace CamCube.Loads.Targets;

/// <summary>One connection of a loop: what is sent, what has come, and what is waited for. One thread; allocates
/// nothing while it is connected.</summary>
[SupportedOSPlatform("linux")]
internal sealed class RedisLink
{
    private const int Again = 11;
    private const int ReceiveRoom = 16 << 10;
    private readonly Poller _poller;
    private readonly IReadOnlyList<EndPoint> _endpoints;
    private readonly Func<int, Socket>? _socketOf;
    private readonly RedisPending[] _pending;
    private readonly RespBuffer _in = new(ReceiveRoom);
    private int _endpoint;
    private int _first;
    private int _descriptor;
    private Socket? _socket;
    private bool _waitsToSend;

    /// <summary>A connection that is not connected yet.</summary>
    /// <param name="poller">Where it is watched.</param>
    /// <param name="key">Under which key.</param>
    /// <param name="endpoints">Whom it connects to: this one, and after a failure the next.</param>
    /// <param name="endpoint">The first of them.</param>
    /// <param name="depth">Commands on their way at a time.</param>
    /// <param name="socketOf">Makes a socket for one of them; null: an ordinary one.</param>
    public RedisLink(
        Poller poller,
        int key,
        IReadOnlyList<EndPoint> endpoints,
        int endpoint,
        int depth,
        Func<int, Socket>? socketOf
    )
    {
        (_poller, Key, _endpoints, _endpoint, _socketOf) = (poller, key, endpoints, endpoint, socketOf);
        _pending = new RedisPending[depth];
        Depth = depth;
    }

    /// <summary>Its key.</summary>
    public int Key { get; }

    /// <summary>Commands on their way at a time.</summary>
    public int Depth { get; }

    /// <summary>It is connected.</summary>
    public bool IsOpen { get; private set; }

    /// <summary>It is being connected, or is.</summary>
    public bool HasBegun => _socket is not null;

    /// <summary>When it was begun; of one that has failed, when it is tried again.</summary>
    public long TimeNanos { get; set; }

    /// <summary>It stands in the list of those with room.</summary>
    public bool IsListed { get; set; }

    /// <summary>Commands without an answer.</summary>
    public int PendingCount { get; private set; }

    /// <summary>The oldest of them.</summary>
    public ref readonly RedisPending Oldest => ref _pending[_first];

    /// <summary>Answers to come before anything else is asked: who it is, and the table.</summary>
    public int Greetings { get; set; }

    /// <summary>Whether one more may be sent.</summary>
    public bool HasRoom => IsOpen && Greetings == 0 && PendingCount < Depth;

    /// <summary>What is to be sent.</summary>
    public RespBuffer Out { get; } = new(ReceiveRoom);

    /// <summary>Begins to connect. False: that failed at once.</summary>
    public bool Connect(long now)
    {
        TimeNanos = now;
        int at = _endpoint % _endpoints.Count;
        EndPoint endpoint = _endpoints[at];
        Socket socket =
            _socketOf?.Invoke(at) ?? new Socket(endpoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp);
        socket.Blocking = false;
        socket.NoDelay = true;
        try
        {
            socket.Connect(endpoint);
        }
        catch (SocketException e) when (e.SocketErrorCode is SocketError.WouldBlock or SocketError.InProgress)
        {
            // Told when it is there.
        }
        catch (SocketException)
        {
            socket.Dispose();
            _endpoint++;
            return false;
        }

        _socket = socket;
        _descriptor = (int)socket.Handle;
        _waitsToSend = true;
        _poller.Watch(socket.SafeHandle, Key, PollEvents.Readable | PollEvents.Writable);
        return true;
    }

    /// <summary>It can be written to: so it is connected, or failed.</summary>
    public bool TryOpen()
    {
        if (_socket!.GetSocketOption(SocketOptionLevel.Socket, SocketOptionName.Error) is not 0)
        {
            return false;
        }

        IsOpen = true;
        return true;
    }

    /// <summary>Notes a command, which the caller has written.</summary>
    public void Push(in RedisPending pending)
    {
        _pending[(_first + PendingCount) % _pending.Length] = pending;
        PendingCount++;
    }

    /// <summary>The oldest has its answer.</summary>
    public RedisPending Pop()
    {
        RedisPending oldest = _pending[_first];
        _first = (_first + 1) % _pending.Length;
        PendingCount--;
        return oldest;
    }

    /// <summary>Sends what there is. False: the connection is gone.</summary>
    public bool Send()
    {
        while (Out.Count > 0)
        {
            int sent = StreamSocket.Send(_descriptor, Out.Held);
            if (sent < 0)
            {
                if (sent != -Again)
                {
                    return false;
                }

                break;
            }

            Out.Take(sent);
        }

        if (_waitsToSend != Out.Count > 0)
        {
            _waitsToSend = Out.Count > 0;
            _poller.Change(
                _socket!.SafeHandle,
                Key,
                _waitsToSend ? PollEvents.Readable | PollEvents.Writable : PollEvents.Readable
            );
        }

        return true;
    }

    /// <summary>Receives what is there, once: what else is there is told again. False: the connection is gone.
    /// </summary>
    public bool Receive()
    {
        Memory<byte> room = _in.Room(ReceiveRoom);
        int count = StreamSocket.Receive(_descriptor, room.Span);
        if (count <= 0)
        {
            return count == -Again;
        }

        _in.Fill(count);
        return true;
    }

    /// <summary>The next answer, which is taken by <see cref="Take"/>.</summary>
    public RespOutcome TryRead(out RespHead head) => RespReader.TryRead(_in.Held, out head);

    /// <summary>Bytes that were received.</summary>
    public ReadOnlySpan<byte> Received => _in.Held;

    /// <summary>An answer was dealt with.</summary>
    public void Take(RespHead head) => _in.Take(head.Taken);

    /// <summary>Ends it; what was on its way is forgotten, and the next connection goes to the next server.</summary>
    public void Close()
    {
        if (_socket is { } socket)
        {
            _poller.Forget(socket.SafeHandle, Key);
            socket.Dispose();
        }

        _socket = null;
        IsOpen = false;
        (_first, PendingCount, Greetings) = (0, 0, 0);
        Out.Clear();
        _in.Clear();
        _endpoint++;
    }
}
