using System.Runtime.CompilerServices;
using CamCube.Services.Messenger.Wire;

namespace CamCube.Services.Messenger.Resolving;

/// <summary>Asks the root of the key of an endpoint's name. One question, one answer; again while the root still waits
/// for the owner, or knows only the place that is wrong. Loop only.</summary>
internal sealed class DirectoryResolver : IResolver
{
    private readonly IServer _server;
    private readonly ReplyTable<FoundPlace> _asked;
    private readonly TimeSpan _ask,
        _longest;

    public DirectoryResolver(IServer server, MessengerOptions options)
    {
        _server = server;
        _asked = new ReplyTable<FoundPlace>(server);

        // A part of the time is for who is asked afterwards.
        (_ask, _longest) = (options.AskTime, options.ResolveTime * 0.75);
    }

    /// <inheritdoc/>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<EndpointPlace> FindAsync(EndpointId id, EndpointPlace wrong, CancellationToken cancel)
    {
        if (!_asked.TryAsk(out Replies<FoundPlace>? question))
        {
            return default;
        }

        using Replies<FoundPlace> ends = question;
        long end = _server.NowNanos + (long)_longest.TotalNanoseconds;
        while (_server.NowNanos < end && !cancel.IsCancellationRequested)
        {
            Ask(id, question.Id);
            WaitResult result = await question.WaitAsync(1, _ask, cancel);
            if (result == WaitResult.Stopped)
            {
                return default;
            }

            if (result == WaitResult.Enough)
            {
                FoundPlace found = question.Take(0);
                question.Clear();
                if (found.Place.IsKnown ? found.Place != wrong : !found.MayChange)
                {
                    return found.Place;
                }

                // Its owner has told the root nothing newer yet.
                if (!await _server.DelayAsync(_ask))
                {
                    return default;
                }
            }
        }

        return default;
    }

    /// <summary>A root has answered.</summary>
    public Verdict OnFound(Packet packet)
    {
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        var found = new FoundPlace(PlaceRecord.Read(packet.Body, _server.Shape), header.Status == RegisterStatus.Wait);
        return _asked.TryAdd(header.Question, found) ? Verdict.Consume : Verdict.Drop(DropReason.Stale);
    }

    private void Ask(EndpointId id, ulong question)
    {
        if (!_server.Packets.TryRent(PlaceRecord.Size, out Packet? packet))
        {
            return;
        }

        packet.WritableBody().Clear();
        MessengerHeader.HeadOf(packet).Kind = MessengerKind.Find;
        ref MessengerHeader header = ref MessengerHeader.Of(packet);
        (header.Destination, header.Question) = (id.Value, question);
        _server.Send(packet, id.ToKey());
    }
}
