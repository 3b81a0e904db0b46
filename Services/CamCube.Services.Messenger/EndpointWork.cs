using System.Runtime.CompilerServices;
using CamCube.Services.Messenger.Calls;
using CamCube.Services.Messenger.Counting;
using CamCube.Services.Messenger.Endpoints;
using CamCube.Services.Messenger.Long;
using CamCube.Services.Messenger.Moves;
using CamCube.Services.Messenger.Names;
using CamCube.Services.Messenger.Resolving;
using CamCube.Services.Messenger.Wire;

namespace CamCube.Services.Messenger;

/// <summary>What endpoints do beyond receiving: their messages become packets here. Loop only; nothing allocated per
/// short message and call in steady state.</summary>
internal sealed class EndpointWork : IEndpointWork, IUnsent
{
    private readonly IServer _server;
    private readonly ulong _run;
    private EndpointTable? _endpoints;
    private MessengerCounters? _counters;
    private Registrar? _registrar;
    private Courier? _courier;
    private CallTable? _calls;
    private LongSender? _longSender;
    private LongReceiver? _longReceiver;
    private Mover? _mover;

    public EndpointWork(IServer server, ulong run)
    {
        (_server, _run) = (server, run);

        // What an item's place can say is a limit, too.
        MostBody = Math.Min(ushort.MaxValue, server.Packets.MaxPayload - Unsafe.SizeOf<MessengerHeader>());
    }

    /// <summary>Bytes of the longest body.</summary>
    public int MostBody { get; }

    /// <summary>The messenger stops: nothing is asked again.</summary>
    public bool IsStopping { get; set; }

    public void Bind(
        EndpointTable endpoints,
        MessengerCounters counters,
        Registrar registrar,
        Courier courier,
        CallTable calls,
        LongSender longSender,
        LongReceiver longReceiver,
        Mover mover
    )
    {
        (_endpoints, _counters, _registrar, _courier) = (endpoints, counters, registrar, courier);
        (_calls, _longSender, _longReceiver, _mover) = (calls, longSender, longReceiver, mover);
    }

    public SendStatus Send(LocalEndpoint from, EndpointId to, ushort method, ReadOnlySpan<byte> bytes)
    {
        SendStatus made = TryMake(from, bytes, out Packet? packet);
        if (made != SendStatus.Sent)
        {
            return made;
        }

        Address(packet!, to, method, ShortFlags.None, 0);
        return _courier!.Send(packet!);
    }

    public SendStatus Send(LocalEndpoint from, EndpointId to, ushort method, ReadOnlySpan<ReadOnlyMemory<byte>> items)
    {
        SendStatus made = TryMake(from, items, default, 0, out Packet? packet);
        if (made != SendStatus.Sent)
        {
            return made;
        }

        Address(packet!, to, method, ShortFlags.None, 0);
        return _courier!.Send(packet!);
    }

    public SendStatus Answer(LocalEndpoint from, ReceivedMessage call, ushort method, ReadOnlySpan<byte> bytes)
    {
        if (call.Question == 0)
        {
            return SendStatus.NoQuestion;
        }

        SendStatus made = TryMake(from, bytes, out Packet? packet);
        return made == SendStatus.Sent ? Answer(packet!, call, method) : made;
    }

    public SendStatus Answer(
        LocalEndpoint from,
        ReceivedMessage call,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items
    )
    {
        if (call.Question == 0)
        {
            return SendStatus.NoQuestion;
        }

        SendStatus made = TryMake(from, items, default, 0, out Packet? packet);
        return made == SendStatus.Sent ? Answer(packet!, call, method) : made;
    }

    public ValueTask<CallAnswer> CallAsync(
        LocalEndpoint from,
        EndpointId to,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items,
        ReadOnlySpan<Window> returns,
        TimeSpan deadline,
        CancellationToken cancel
    )
    {
        if (cancel.IsCancellationRequested)
        {
            return Ended(CallStatus.Cancelled);
        }

        if (!AreFree(returns))
        {
            return Ended(CallStatus.BadWindow);
        }

        if (!from.IsOwned || !_calls!.TryBegin(from, to, returns, out CallRecord? call))
        {
            return Ended(from.IsOwned ? CallStatus.Busy : CallStatus.NotOwned);
        }

        SendStatus status = TryMake(from, items, returns, call.Handle, out Packet? packet);
        if (status == SendStatus.Sent)
        {
            Address(packet!, to, method, ShortFlags.Call, call.Question);
            status = _courier!.Send(packet!);
        }

        if (status == SendStatus.Sent)
        {
            return call.WaitAsync(deadline, cancel);
        }

        _calls.Withdraw(call);
        return Ended(
            status switch
            {
                SendStatus.TooLarge => CallStatus.TooLarge,
                SendStatus.NoRoute => CallStatus.PeerLost,
                _ => CallStatus.Busy,
            }
        );
    }

    public ValueTask<LongDelivery> AnswerLongAsync(
        LocalEndpoint from,
        ReceivedMessage call,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items,
        TimeSpan deadline,
        CancellationToken cancel
    ) => _longSender!.AnswerAsync(from, call, method, items, deadline, cancel);

    public ValueTask<LongDelivery> SendLongAsync(
        LocalEndpoint from,
        EndpointId to,
        ushort method,
        ReadOnlySpan<ReadOnlyMemory<byte>> items,
        TimeSpan deadline,
        CancellationToken cancel
    ) => _longSender!.SendAsync(from, to, method, items, deadline, cancel);

    /// <summary>Offers a long message.</summary>
    public SendStatus Offer(OutgoingLong message)
    {
        if (!_server.Packets.TryRent(message.Count * 4, out Packet? packet))
        {
            return SendStatus.Busy;
        }

        ShortBody.WriteOffer(packet.WritableBody(), message.Items);
        Sign(packet, message.From, message.Count, 0);
        Address(packet, message.To, message.Method, ShortFlags.Offer, message.Label);
        return _courier!.Send(packet);
    }

    public bool BreakOff(LocalEndpoint endpoint, Window window) => _longReceiver!.BreakOff(endpoint, window);

    public ValueTask<MoveStatus> MoveAsync(LocalEndpoint endpoint, Coordinate server, TimeSpan deadline) =>
        _mover!.MoveAsync(endpoint, server, deadline);

    public void OnEnded(LocalEndpoint endpoint, EndpointState before)
    {
        _endpoints!.Remove(endpoint);
        _counters!.Endpoints.Set(_endpoints.Count);
        _longReceiver!.OnEnded(endpoint);
        _longSender!.OnEnded(endpoint);
        _calls!.OnEnded(endpoint);
        if (endpoint.State == EndpointState.Closed && before != EndpointState.Standby)
        {
            _registrar!.Remove(endpoint, IsStopping);
        }
    }

    void IUnsent.OnPlaced(in ShortNote message, in EndpointPlace place)
    {
        if ((message.Flags & ShortFlags.Call) != 0)
        {
            _calls!.OnPlaced(message.Question, place);
        }
    }

    void IUnsent.OnUnsent(in ShortNote message, bool isUnresolved)
    {
        if ((message.Flags & ShortFlags.Call) != 0)
        {
            _calls!.Fail(message.Question, isUnresolved ? CallStatus.Unresolved : CallStatus.PeerLost);
        }
        else if ((message.Flags & ShortFlags.Offer) != 0)
        {
            _longSender!.OnUnsent(message.Question, isUnresolved);
        }
    }

    private static bool AreFree(ReadOnlySpan<Window> returns)
    {
        if (returns.Length > ShortBody.MostReturns)
        {
            return false;
        }

        for (int i = 0; i < returns.Length; i++)
        {
            if (returns[i] is not { State: WindowState.Free, Length: > 0 } || returns[..i].Contains(returns[i]))
            {
                return false;
            }
        }

        return true;
    }

    private static ValueTask<CallAnswer> Ended(CallStatus status) => new(new CallAnswer(status, null));

    private static void Address(Packet packet, EndpointId to, ushort method, ShortFlags flags, ulong question)
    {
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        (header.Destination, header.Method, header.Question) = (to.Value, method, question);
        MessengerHeader.HeadOf(packet).Flags = flags;
    }

    // Straight to where the question came from: who asked there waits there.
    private SendStatus Answer(Packet packet, ReceivedMessage call, ushort method)
    {
        Address(packet, call.Source, method, ShortFlags.Answer, call.Question);
        SendStatus status = _courier!.SendTo(packet, call.From);
        if (status == SendStatus.Sent)
        {
            call.TakeQuestion();
        }

        return status;
    }

    private SendStatus TryMake(LocalEndpoint from, ReadOnlySpan<byte> bytes, out Packet? packet)
    {
        SendStatus status = TryRent(from, ShortBody.ItemSize + (long)bytes.Length, out packet);
        if (status == SendStatus.Sent)
        {
            ShortBody.Write(packet!.WritableBody(), bytes);
            Sign(packet, from, 1, 0);
        }

        return status;
    }

    private SendStatus TryMake(
        LocalEndpoint from,
        ReadOnlySpan<ReadOnlyMemory<byte>> items,
        ReadOnlySpan<Window> returns,
        ulong handle,
        out Packet? packet
    )
    {
        long length = ShortBody.HeadBytes(returns.Length, items.Length);
        foreach (ReadOnlyMemory<byte> item in items)
        {
            length += item.Length;
        }

        packet = null;
        SendStatus status =
            items.Length > ShortBody.MostItems ? SendStatus.TooLarge : TryRent(from, length, out packet);
        if (status == SendStatus.Sent)
        {
            ShortBody.Write(packet!.WritableBody(), handle, returns, items);
            Sign(packet, from, items.Length, returns.Length);
        }

        return status;
    }

    private SendStatus TryRent(LocalEndpoint from, long length, out Packet? packet)
    {
        packet = null;
        return !from.IsOwned ? SendStatus.NotOwned
            : length > MostBody ? SendStatus.TooLarge
            : _server.Packets.TryRent((int)length, out packet) ? SendStatus.Sent
            : SendStatus.Busy;
    }

    private void Sign(Packet packet, LocalEndpoint from, int items, int returns)
    {
        MessengerHeader.Of(packet).Source = from.Id.Value;
        ref MessengerHead head = ref MessengerHeader.HeadOf(packet);
        (head.Kind, head.Run, head.SourceTerm) = (MessengerKind.Short, _run, from.Term);
        (head.Count, head.Returns) = ((byte)items, (byte)returns);
    }
}
