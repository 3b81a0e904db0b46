using CamCube.Services.Messenger.Wire;

namespace CamCube.Services.Messenger.Endpoints;

/// <summary>A message that came; pooled. See <see cref="Message"/>.</summary>
internal sealed class ReceivedMessage(ReceivedPool pool) : Message
{
    private readonly List<Window?> _windows = [];
    private readonly List<int> _lengths = [];
    private Packet? _packet;
    private EndpointPlace _from;
    private EndpointId _source;
    private ShortFlags _flags;
    private ushort _method;
    private byte _count,
        _returns;
    private bool _isOpen;

    /// <inheritdoc/>
    public override bool IsLong => _packet is null;

    /// <inheritdoc/>
    public override EndpointId Source => _source;

    /// <inheritdoc/>
    public override Coordinate SourceServer => _from.Server;

    /// <inheritdoc/>
    public override ushort Method => _method;

    /// <inheritdoc/>
    public override bool IsCall => (_flags & ShortFlags.Call) != 0;

    /// <inheritdoc/>
    public override int Count => _count;

    /// <inheritdoc/>
    public override int ReturnCount => _returns;

    /// <summary>Where its sender was.</summary>
    public EndpointPlace From => _from;

    /// <summary>Number of the call; 0 once it was answered.</summary>
    public ulong Question { get; private set; }

    /// <summary>Handle of the windows that it lends.</summary>
    public ulong Handle => _packet is null || _returns == 0 ? 0 : ShortBody.Handle(_packet.Body);

    /// <inheritdoc/>
    public override ReadOnlySpan<byte> this[int item]
    {
        get
        {
            Check(item, _count);
            return _packet is { } packet ? ShortBody.Item(packet.Body, _returns, item)
                : _windows[item] is { } window ? window.Memory.Span[.._lengths[item]]
                : default;
        }
    }

    /// <summary>It is one in a packet that is held and valid.</summary>
    public void Open(Packet packet)
    {
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        ref MessengerHead head = ref MessengerHeader.HeadOf(packet);
        _packet = packet;
        _source = new EndpointId(header.Source);
        _from = new EndpointPlace(packet.Source, head.Run, head.SourceTerm);
        (_flags, _method, _count, _returns) = (head.Flags, header.Method, head.Count, head.Returns);
        Question = IsCall ? header.Question : 0;
        _isOpen = true;
    }

    /// <summary>It is one in windows, which are filled.</summary>
    public void Open(EndpointId source, EndpointPlace from, ushort method)
    {
        (_packet, _source, _from, _method) = (null, source, from, method);
        (_flags, _count, _returns, Question) = (ShortFlags.None, 0, 0, 0);
        _isOpen = true;
    }

    /// <summary>Adds an item of a long message.</summary>
    public void Add(Window? window, int length)
    {
        _windows.Add(window);
        _lengths.Add(window is null ? 0 : length);
        _count++;
    }

    /// <summary>It is answered: not again.</summary>
    public ulong TakeQuestion()
    {
        ulong question = Question;
        Question = 0;
        return question;
    }

    /// <summary>Takes the packet out, to send it on; the rest is released.</summary>
    public Packet? TakePacket()
    {
        Packet? packet = _packet;
        _packet = null;
        Release();
        return packet;
    }

    /// <inheritdoc/>
    public override bool IsDiscarded(int item)
    {
        Check(item, _count);
        return _packet is null && _windows[item] is null;
    }

    /// <inheritdoc/>
    public override Window? WindowOf(int item)
    {
        Check(item, _count);
        return _packet is null ? _windows[item] : null;
    }

    /// <inheritdoc/>
    public override int ReturnLength(int number)
    {
        Check(number, _returns);
        return ShortBody.ReturnLength(_packet!.Body, number);
    }

    /// <inheritdoc/>
    public override void Release()
    {
        if (!_isOpen)
        {
            return;
        }

        (_isOpen, _count, _returns, Question) = (false, 0, 0, 0);
        foreach (Window? window in _windows)
        {
            window?.TryMove(WindowState.Filled, WindowState.Free);
        }

        _windows.Clear();
        _lengths.Clear();
        Packet? packet = _packet;
        _packet = null;
        pool.Return(this, packet);
    }

    private static void Check(int number, int count) =>
        ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)number, (uint)count);
}
