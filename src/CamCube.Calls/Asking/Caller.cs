using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using CamCube.Messaging;

namespace CamCube.Calls;

/// <summary>
/// Brings a service's calls to the roots of their keys and the answers back, with time-outs and retries inside. What is
/// repeatable goes on until some root has done it; all else is done at most once (docs/cache.md, "At most once"). The
/// service hands its answers and refusals to <see cref="OnAnswer"/> and <see cref="OnRefusal"/>, and calls
/// <see cref="OnTopologyChanged"/> from its own callback. In steady state nothing is allocated. Loop only.
/// </summary>
/// <typeparam name="THeader">The service's header.</typeparam>
/// <typeparam name="TReply">What comes out of a call.</typeparam>
public sealed class Caller<THeader, TReply>
    where THeader : unmanaged, ICallHeader<THeader>
{
    private const long NotCutOff = -1;
    private const int CutOffLooks = 8;

    // A deadline lies this part of an attempt's time before its end: so long the answer may take.
    private const int AnswerPart = 16;
    private readonly IServer _server;
    private readonly MessageChannel<THeader> _channel;
    private readonly CallLimits _limits;
    private readonly CallCounters _counters;
    private readonly KnownRoots _known = new();
    private readonly ReplyTable<Arrived<TReply>> _questions;
    private readonly long _timeoutNanos;
    private ulong _numbers;
    private long _cutOffNanos = NotCutOff;

    /// <summary>The caller of one service on one server.</summary>
    /// <param name="server">The service's server.</param>
    /// <param name="channel">Its channel, by which the calls send.</param>
    /// <param name="limits">How long calls go on.</param>
    /// <param name="counters">What is counted.</param>
    public Caller(IServer server, MessageChannel<THeader> channel, CallLimits limits, CallCounters counters)
    {
        (_server, _channel, _limits, _counters) = (server, channel, limits, counters);
        _questions = new ReplyTable<Arrived<TReply>>(server, discard: static a => a.Content.Return());
        _timeoutNanos = limits.AttemptNanos(0);
    }

    /// <summary>Calls that wait for an answer.</summary>
    public int Open => _questions.Open;

    /// <summary>Does a call wherever the root of its key is. Pooled: await at once and once.</summary>
    /// <typeparam name="TCall">The call: a struct.</typeparam>
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    public async ValueTask<TReply> CallAsync<TCall>(Key key, TCall call)
        where TCall : struct, ICall<TReply>
    {
        if (!_questions.TryAsk(out Replies<Arrived<TReply>>? asked))
        {
            return call.GiveUp(CallFailure.TooMany, mayBeDone: false);
        }

        using Replies<Arrived<TReply>> question = asked;
        CallTerms terms = call.Terms;
        var attempts = new Attempts
        {
            IsRepeatable = terms.IsRepeatable,
            GoesAsChange = terms.GoesAsChange,
            Number = ++_numbers,
            BegunNanos = _server.NowNanos,
        };
        long endNanos = _server.NowNanos + _limits.MostNanos(terms.Length);
        for (int attempt = 0; _server.NowNanos < endNanos && !_server.Stopping.IsCancellationRequested; )
        {
            if (!_server.Topology.HasMajority)
            {
                if (terms.IsRead || _server.NowNanos - CutOffSince() >= _limits.MostNanos(0))
                {
                    return call.GiveUp(CallFailure.Alone, attempts.IsUncertain);
                }

                // Most often a pause of this server made its neighbours think that it is lost, and is over.
                await _server.DelayAsync(_limits.Timeout / CutOffLooks);
                continue;
            }

            _cutOffNanos = NotCutOff;
            _counters.Retries.Add(++attempt > 1 ? 1 : 0);
            if (!attempts.ChooseRoot(key, _server.Topology, _known, _server.NowNanos))
            {
                return call.GiveUp(CallFailure.Unknown, mayBeDone: true);
            }

            long pauseNanos;
            if (attempts.Root == _server.Coordinate)
            {
                Readiness readiness = call.TryHere(key, out TReply reply, out pauseNanos);
                if (readiness == Readiness.Ready)
                {
                    return reply;
                }

                if (readiness == Readiness.Busy)
                {
                    await call.WaitHereAsync(key, endNanos - _server.NowNanos);
                    pauseNanos = 0;
                }

                attempts.NoteWait();
            }
            else
            {
                long untilNanos = _server.NowNanos + _limits.AttemptNanos(terms.Length);
                var tag = new CallTag(key, question.Id, (byte)attempt);
                MessageTicket ticket = call.Send(Prepare(tag, terms.Length, untilNanos, ref attempts));
                Arrived<TReply> arrived = await AwaitAnswerAsync(question, tag, untilNanos, endNanos);
                _channel.Cancel(ticket);
                if (!arrived.IsThere)
                {
                    attempts.NoteSilence();
                    continue;
                }

                if (arrived.Refusal.Reason == RefusalReason.None)
                {
                    TReply reply = call.Finish(arrived.Reply, arrived.Hops, arrived.Content.Span);
                    arrived.Content.Return();
                    return reply;
                }

                _counters.Refusals.Add();
                if (!attempts.NoteRefusal(arrived.Refusal, _server.NowNanos, out pauseNanos))
                {
                    return call.GiveUp(CallFailure.Unknown, mayBeDone: true);
                }

                if (arrived.Refusal.Reason == RefusalReason.Forgotten)
                {
                    // Doing again what is repeatable is harmless, with a number that is not too old.
                    attempts.Number = ++_numbers;
                }
            }

            if (pauseNanos > 0)
            {
                await _server.DelayAsync(TimeSpan.FromMicroseconds((Math.Min(pauseNanos, _timeoutNanos) / 1_000) + 1));
            }
        }

        bool isAlone = _server.Stopping.IsCancellationRequested || !_server.Topology.HasMajority;
        return call.GiveUp(isAlone ? CallFailure.Alone : CallFailure.TimedOut, attempts.IsUncertain);
    }

    /// <summary>A root answered.</summary>
    /// <param name="message">Its message, whose content is kept if the call still waits.</param>
    /// <param name="root">Who says so.</param>
    /// <param name="reply">What came out.</param>
    /// <param name="hopsBeyond">Hops that the request made beyond the server that sent this message.</param>
    public void OnAnswer(in IncomingMessage<THeader> message, in RootStamp root, in TReply reply, int hopsBeyond)
    {
        CallTag tag = THeader.TagOf(message.Header);
        Arrived<TReply> arrived = Learn(tag, message.Source, root, reply, hopsBeyond);
        if (_questions.IsOpen(tag.Question))
        {
            arrived.Content = _channel.TakeContent(message);
            _questions.TryAdd(tag.Question, arrived);
        }
    }

    /// <summary>A root answered by way of this server's own service: its content is part of a longer message.</summary>
    /// <param name="header">Header of the answer.</param>
    /// <param name="source">The root.</param>
    /// <param name="root">Who says so.</param>
    /// <param name="reply">What came out.</param>
    /// <param name="hopsBeyond">Hops that the request made beyond <paramref name="source"/>.</param>
    /// <param name="content">The answer's content: copied if the call still waits.</param>
    public void OnCarriedAnswer(
        in THeader header,
        Coordinate source,
        in RootStamp root,
        in TReply reply,
        int hopsBeyond,
        ReadOnlySpan<byte> content
    )
    {
        CallTag tag = THeader.TagOf(header);
        Arrived<TReply> arrived = Learn(tag, source, root, reply, hopsBeyond);
        if (_questions.IsOpen(tag.Question))
        {
            arrived.Content = OwnedBytes.CopyOf(content);
            _questions.TryAdd(tag.Question, arrived);
        }
    }

    /// <summary>A server refused. False: the content is too short to be a refusal; it is not counted as one.</summary>
    public bool OnRefusal(in IncomingMessage<THeader> message)
    {
        if (message.Content.Length < RefusalHead.Size)
        {
            return false;
        }

        RefusalHead head = MemoryMarshal.Read<RefusalHead>(message.Content);
        _known.Learn(message.Source, head.Root, _server.NowNanos);
        CallTag tag = THeader.TagOf(message.Header);
        if (_questions.IsOpen(tag.Question))
        {
            var reason = (RefusalReason)
                Math.Clamp(
                    (byte)THeader.ReasonOf(message.Header),
                    (byte)RefusalReason.NotRoot,
                    (byte)RefusalReason.ComeAsChange
                );
            _questions.TryAdd(
                tag.Question,
                new Arrived<TReply>
                {
                    IsThere = true,
                    Tag = tag,
                    Refusal = new Refusal(reason, message.Source, head),
                }
            );
        }

        return true;
    }

    /// <summary>Whether an answer that begins to arrive is still wanted: for
    /// <see cref="IMessageHandler{THeader}.OnArriving"/>.</summary>
    public bool IsWanted(in THeader header) => _questions.IsOpen(THeader.TagOf(header).Question);

    /// <summary>The view changed.</summary>
    public void OnTopologyChanged(in TopologyChange change)
    {
        if (_server.Topology.HasMajority)
        {
            _cutOffNanos = NotCutOff;
        }
        else
        {
            CutOffSince();
        }

        if (change.Event is TopologyEvent.ServerLost or TopologyEvent.ServerUnreachable)
        {
            // What was known about its run is void.
            _known.Forget(change.Server);
        }
    }

    private static bool IsAnswerTo(ulong question, THeader header) =>
        THeader.PartOf(header) == CallPart.Done && THeader.TagOf(header).Question == question;

    private Arrived<TReply> Learn(in CallTag tag, Coordinate source, in RootStamp root, in TReply reply, int hopsBeyond)
    {
        _known.Learn(source, root, _server.NowNanos);
        return new Arrived<TReply>
        {
            IsThere = true,
            Tag = tag,
            Reply = reply,
            Hops = _server.Topology.HopsTo(source) + hopsBeyond,
        };
    }

    private CallAttempt Prepare(in CallTag tag, int length, long untilNanos, ref Attempts attempts)
    {
        if (!attempts.GoesAsChange)
        {
            attempts.Run = 0;
            return new CallAttempt(tag, false, default, default, tag.Key);
        }

        _known.TryGet(attempts.Root, _server.NowNanos, out attempts.Run, out long aheadNanos);
        var head = new CallHead
        {
            Number = attempts.Number,
            RootRun = attempts.Run,
            DeadlineNanos = untilNanos - (_limits.AttemptNanos(length) / AnswerPart) + aheadNanos,
        };
        return new CallAttempt(tag, true, head, attempts.Root, attempts.IsBound ? attempts.Root : tag.Key);
    }

    // When this server lost sight of the majority; the first who asks may notice it before the services hear.
    private long CutOffSince() => _cutOffNanos == NotCutOff ? _cutOffNanos = _server.NowNanos : _cutOffNanos;

    // The answer to this attempt, or to an earlier one if that says that it was done. One of many packets that is on
    // its way is waited for.
    [AsyncMethodBuilder(typeof(LoopMethodBuilder<>))]
    private async ValueTask<Arrived<TReply>> AwaitAnswerAsync(
        Replies<Arrived<TReply>> question,
        CallTag tag,
        long untilNanos,
        long endNanos
    )
    {
        for (; ; )
        {
            long leftMicros = ((untilNanos - _server.NowNanos) / 1_000) + 1;
            WaitResult waited = await question.WaitAsync(1, TimeSpan.FromMicroseconds(leftMicros));
            if (waited == WaitResult.Enough)
            {
                Arrived<TReply> arrived = question.Take(0);
                question.Clear();
                bool isDone = arrived.Refusal.Reason == RefusalReason.None;
                if (arrived.Tag.Key == tag.Key && (isDone || arrived.Tag.Attempt == tag.Attempt))
                {
                    return arrived;
                }

                arrived.Content.Return();
            }
            else if (
                waited == WaitResult.TimedOut
                && _server.NowNanos < endNanos
                && _channel.IsArriving(question.Id, IsAnswerTo)
            )
            {
                untilNanos = _server.NowNanos + _timeoutNanos;
            }
            else
            {
                return default;
            }
        }
    }
}
