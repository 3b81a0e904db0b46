using CamCube.Messaging;
using CamCube.Services.Messenger.Counting;
using CamCube.Services.Messenger.Endpoints;
using CamCube.Services.Messenger.Wire;

namespace CamCube.Services.Messenger.Long;

/// <summary>The long messages that this server's endpoints send. Each is offered, again and again until it is pulled or
/// its time is over; answers for lent windows are pushed at once. Loop only.</summary>
internal sealed class LongSender
{
    private static readonly long FirstPauseNanos = (long)TimeSpan.FromMilliseconds(20).TotalNanoseconds,
        MostPauseNanos = (long)TimeSpan.FromMilliseconds(640).TotalNanoseconds;
    private readonly Dictionary<ulong, OutgoingLong> _offers = [];
    private readonly List<OutgoingLong> _inOrder = [];
    private readonly IServer _server;
    private readonly MessengerOptions _options;
    private readonly Streams _streams;
    private readonly Func<OutgoingLong, SendStatus> _offer;

    /// <param name="server">The messenger's server.</param>
    /// <param name="options">Its settings.</param>
    /// <param name="streams">Its streams.</param>
    /// <param name="offer">Sends an offer.</param>
    public LongSender(
        IServer server,
        MessengerOptions options,
        Streams streams,
        Func<OutgoingLong, SendStatus> offer
    ) => (_server, _options, _streams, _offer) = (server, options, streams, offer);

    /// <summary>Long messages that are being sent.</summary>
    public int Count => _inOrder.Count;

    public ValueTask<LongDelivery> SendAsync(
        LocalEndpoint from,
        EndpointId to,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items,
        TimeSpan deadline,
        CancellationToken cancel
    )
    {
        if (Refusal(from, items.Length, cancel) is { } refused)
        {
            return new ValueTask<LongDelivery>(new LongDelivery(refused));
        }

        var message = new OutgoingLong(_server, this, from, items)
        {
            Label = NewNumber(),
            To = to,
            Method = method,
            DeadlineNanos = _server.NowNanos + Nanos(deadline),
        };
        _offers.Add(message.Label, message);
        _inOrder.Add(message);
        Offer(message);
        return message.WaitAsync(cancel);
    }

    public ValueTask<LongDelivery> AnswerAsync(
        LocalEndpoint from,
        ReceivedMessage call,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items,
        TimeSpan deadline,
        CancellationToken cancel
    )
    {
        LongStatus? refused =
            Refusal(from, items.Length, cancel) is { } status ? status
            : call.Question == 0 || call.Handle == 0 ? LongStatus.NoQuestion
            : !Fit(call, items) ? LongStatus.TooLarge
            : null;
        if (refused is { } why)
        {
            return new ValueTask<LongDelivery>(new LongDelivery(why));
        }

        var message = new OutgoingLong(_server, this, from, items)
        {
            Label = call.Handle,
            To = call.Source,
            Method = method,
            DeadlineNanos = _server.NowNanos + Nanos(deadline),
        };
        Span<byte> head = stackalloc byte[LongWire.HeadBytes + (4 * ShortBody.MostReturns)];
        int length = LongWire.Write(head, method, call.Question, from.Id, items);
        if (!_streams.TryPush(message, call.SourceServer, head[..length]))
        {
            return new ValueTask<LongDelivery>(new LongDelivery(LongStatus.Busy));
        }

        call.TakeQuestion();
        _inOrder.Add(message);
        message.Timer.ArmAt(message.DeadlineNanos);
        return message.WaitAsync(cancel);
    }

    /// <summary>A message that is offered and not pulled yet.</summary>
    public OutgoingLong? Offered(ulong number) =>
        _offers.TryGetValue(number, out OutgoingLong? message) && !message.HasStream ? message : null;

    /// <summary>An offer is answered: it will not be pulled.</summary>
    public void OnOfferAnswer(ulong number) =>
        Offered(number)?.End(new LongDelivery(LongStatus.Discarded, Offered(number)!.Count));

    /// <summary>An offer was given up.</summary>
    public void OnUnsent(ulong number, bool isUnresolved)
    {
        if (isUnresolved)
        {
            Offered(number)?.End(new LongDelivery(LongStatus.Unresolved));
        }
    }

    /// <summary>An endpoint has ended: what it sends breaks off.</summary>
    public void OnEnded(LocalEndpoint endpoint)
    {
        foreach (OutgoingLong message in _inOrder.Where(m => m.From == endpoint).ToArray())
        {
            message.End(new LongDelivery(LongStatus.NotOwned));
        }
    }

    public void OnTimer(OutgoingLong message)
    {
        if (_server.NowNanos >= message.DeadlineNanos)
        {
            message.End(new LongDelivery(LongStatus.TimedOut));
        }
        else if (message.HasStream)
        {
            message.Timer.ArmAt(message.DeadlineNanos);
        }
        else
        {
            Offer(message);
        }
    }

    public void Detach(ReliableStream stream) => _streams.Detach(stream);

    public void Ended(OutgoingLong message)
    {
        _offers.Remove(message.Label);
        _inOrder.Remove(message);
    }

    private static long Nanos(TimeSpan time) => (long)Math.Clamp(time.TotalNanoseconds, 0, long.MaxValue / 4);

    private static bool Fit(ReceivedMessage call, ReadOnlySpan<ReadOnlyMemory<byte>> items)
    {
        if (items.Length > call.ReturnCount)
        {
            return false;
        }

        for (int i = 0; i < items.Length; i++)
        {
            if (items[i].Length > call.ReturnLength(i))
            {
                return false;
            }
        }

        return true;
    }

    private void Offer(OutgoingLong message)
    {
        message.PauseNanos =
            message.PauseNanos == 0 ? FirstPauseNanos : Math.Min(MostPauseNanos, message.PauseNanos * 2);
        message.Timer.ArmAt(Math.Min(message.DeadlineNanos, _server.NowNanos + message.PauseNanos));
        _offer(message);
    }

    private LongStatus? Refusal(LocalEndpoint from, int items, CancellationToken cancel) =>
        !from.IsOwned ? LongStatus.NotOwned
        : items is 0 or > ShortBody.MostItems ? LongStatus.TooLarge
        : cancel.IsCancellationRequested ? LongStatus.Cancelled
        : _inOrder.Count >= _options.LongMessages ? LongStatus.Busy
        : null;

    // Who knows it may pull: nobody can guess it.
    private ulong NewNumber()
    {
        ulong number;
        Span<byte> bytes = stackalloc byte[sizeof(ulong)];
        do
        {
            _server.Random.FillSecret(bytes);
            number = BitConverter.ToUInt64(bytes);
        } while (number == 0 || _offers.ContainsKey(number));

        return number;
    }
}
