using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using CamCube.Messaging;
using CamCube.Services.Cache.Ownership;
using CamCube.Services.Cache.Wire;

namespace CamCube.Services.Cache.Requests;

/// <summary>
/// Brings operations to the roots of their keys and answers back, with time-outs and retries inside. Reads and plain sets go on until some
/// root has done them; other changes are done at most once (docs/cache.md, "At most once"). Loop only.
/// </summary>
internal sealed class AskingSide
{
    // A large value's attempt gets this much longer: a second per 4 MiB.
    private const long NanosPerKibibyte = 1_000_000_000 / 4_096;
    private static readonly long RootChangeNanos = (long)TimeSpan.FromMilliseconds(2).TotalNanoseconds;
    private readonly IServer _server;
    private readonly CacheOptions _options;
    private readonly MessageChannel<CacheHeader> _channel;
    private readonly RootSide _root;
    private readonly CacheCounters _counters;
    private readonly KnownRoots _known = new();
    private readonly ReplyTable<Answer> _questions;
    private readonly long _timeoutNanos;
    private ulong _requests;

    public AskingSide(
        IServer server, CacheOptions options, MessageChannel<CacheHeader> channel, RootSide root, CacheCounters counters)
    {
        (_server, _options, _channel, _root, _counters) = (server, options, channel, root, counters);
        _questions = new ReplyTable<Answer>(server, discard: static a => a.Content.Return());
        _timeoutNanos = (long)options.Timeout.TotalNanoseconds;
    }

    /// <summary>Operations that wait for an answer.</summary>
    public int Open => _questions.Open;

    /// <summary>Longest that an operation goes on asking, for a value of this length.</summary>
    public static long MostNanos(CacheOptions options, int valueLength) => options.Attempts * AttemptNanos(options, valueLength);

    /// <summary>Does an operation wherever its root is; the answer is written to the request's writer.</summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<CacheReply> ExecuteAsync(Key memId, CacheRequest request, bool isTooLarge)
    {
        using Replies<Answer> question = _questions.Ask();
        var attempts = new Attempts
        {
            IsRepeatable = IsRepeatable(request, isTooLarge),
            Request = ++_requests,
            BegunNanos = _server.NowNanos,
        };
        long endNanos = _server.NowNanos + MostNanos(_options, request.Value.Length);
        for (int attempt = 1; _server.NowNanos < endNanos && !_server.Stopping.IsCancellationRequested; attempt++)
        {
            if (!_server.Topology.HasMajority)
            {
                return GiveUp(request, attempts, CacheStatus.Unavailable);
            }

            if (attempt > 1)
            {
                _counters[CacheCount.Retries].Add();
            }

            if (!ChooseRoot(memId, ref attempts))
            {
                return new CacheReply(CacheStatus.TimedOut);
            }

            if (attempts.Root == _server.Coordinate)
            {
                Readiness readiness = _root.TryRun(memId, request, isTooLarge, out CacheReply reply, out long waitNanos);
                if (readiness == Readiness.Ready)
                {
                    return reply;
                }

                await _server.DelayAsync(TimeSpan.FromMicroseconds(waitNanos / 1_000 + 1));
                attempts.HasHint = false;
                continue;
            }

            MessageTicket ticket = Send(memId, request, isTooLarge, question.Id, (byte)attempt, ref attempts, out long untilNanos);
            Answer answer = default;
            bool answered = false;
            while (!answered)
            {
                WaitResult waited = await question.WaitAsync(1, TimeSpan.FromMicroseconds((untilNanos - _server.NowNanos) / 1_000 + 1));
                if (waited == WaitResult.Enough)
                {
                    answer = question.Take(0);
                    question.Clear();
                    answered = answer.Refusal == 0 || answer.Attempt == (byte)attempt;
                }
                else if (waited == WaitResult.TimedOut && _server.NowNanos < endNanos && _channel.IsArriving(question.Id, IsAnswerTo))
                {
                    untilNanos = _server.NowNanos + _timeoutNanos;
                }
                else
                {
                    break;
                }
            }

            _channel.Cancel(ticket);
            if (!answered)
            {
                attempts.IsUncertain |= attempts.Run != 0;
                attempts.HasHint = false;
                continue;
            }

            if (answer.Refusal == 0)
            {
                return Finish(request, answer);
            }

            _counters[CacheCount.Refusals].Add();
            if (!Learn(answer, ref attempts, out long pauseNanos))
            {
                return new CacheReply(CacheStatus.TimedOut);
            }

            if (pauseNanos > 0)
            {
                await _server.DelayAsync(TimeSpan.FromMicroseconds(pauseNanos / 1_000 + 1));
            }
        }

        return GiveUp(request, attempts, _server.Stopping.IsCancellationRequested ? CacheStatus.Unavailable : CacheStatus.TimedOut);
    }

    /// <summary>An answer or a refusal of a root.</summary>
    public void OnAnswer(in IncomingMessage<CacheHeader> message)
    {
        bool isRefusal = message.Header.Kind == (byte)PacketKind.Refusal;
        if (message.Content.Length < (isRefusal ? RefusalHead.Size : AnswerHead.Size) ||
            (!isRefusal && message.Header.Code > (byte)CacheStatus.Unavailable))
        {
            return;
        }

        var answer = new Answer { Attempt = message.Header.Attempt, From = message.Source };
        if (isRefusal)
        {
            RefusalHead head = MemoryMarshal.Read<RefusalHead>(message.Content);
            _known.Learn(message.Source, head.Run, head.NowNanos, _server.NowNanos);
            answer.Refusal = (RefusalReason)Math.Clamp(message.Header.Code, (byte)RefusalReason.NotRoot, (byte)RefusalReason.Forgotten);
            (answer.Run, answer.UptimeNanos, answer.WaitNanos) = (head.Run, head.UptimeNanos, head.WaitNanos);
        }
        else
        {
            AnswerHead head = MemoryMarshal.Read<AnswerHead>(message.Content);
            _known.Learn(message.Source, head.Run, head.NowNanos, _server.NowNanos);
            answer.Run = head.Run;
            answer.Reply = new CacheReply((CacheStatus)message.Header.Code, message.Header.Flags, head.Cas, head.Number);
        }

        if (_questions.IsOpen(message.Header.Question))
        {
            if (!isRefusal)
            {
                answer.Content = _channel.TakeContent(message);
            }

            _questions.TryAdd(message.Header.Question, answer);
        }
    }

    /// <summary>Whether an answer that begins to arrive is still wanted.</summary>
    public bool IsWanted(in CacheHeader header) => _questions.IsOpen(header.Question);

    /// <summary>A server was lost: what was known about its run is void.</summary>
    public void OnServerLost(Coordinate server) => _known.Forget(server);

    private static bool IsAnswerTo(ulong question, CacheHeader header) =>
        header.Kind == (byte)PacketKind.Answer && header.Question == question;

    private static bool IsRepeatable(in CacheRequest request, bool isTooLarge) => isTooLarge || request.Operation switch
    {
        CacheOperation.Get or CacheOperation.GetAndTouch => true,
        CacheOperation.Set or CacheOperation.Touch => request.Cas == 0,
        _ => false,
    };

    private static CacheReply GiveUp(in CacheRequest request, in Attempts attempts, CacheStatus status)
    {
        if (request.Operation is CacheOperation.Get or CacheOperation.GetAndTouch)
        {
            // Cut off, it cannot be known what the value is: a cache may always miss.
            return new CacheReply(status == CacheStatus.Unavailable ? CacheStatus.NotFound : status);
        }

        return new CacheReply(attempts.IsUncertain ? CacheStatus.TimedOut : status);
    }

    private static CacheReply Finish(in CacheRequest request, in Answer answer)
    {
        if (answer.Reply.Status == CacheStatus.Done && request.Into is { } into && answer.Content.Length > AnswerHead.Size)
        {
            into.Write(answer.Content.Span[AnswerHead.Size..]);
        }

        answer.Content.Return();
        return answer.Reply;
    }

    // False: the root that may have done it is gone, or runs anew, so nobody can say any more.
    private bool ChooseRoot(Key memId, ref Attempts attempts)
    {
        if (attempts.IsUncertain && !attempts.IsRepeatable)
        {
            return _server.Topology.IsReachable(attempts.Root) &&
                _known.TryGet(attempts.Root, _server.NowNanos, out ulong run, out _) && run == attempts.Run;
        }

        if (!attempts.HasHint)
        {
            attempts.Root = _server.Topology.RootOf(memId);
        }

        return true;
    }

    private MessageTicket Send(
        Key memId, in CacheRequest request, bool isTooLarge, ulong question, byte attempt, ref Attempts attempts, out long untilNanos)
    {
        ReadOnlyMemory<byte> value = isTooLarge ? default : request.Value;
        long now = _server.NowNanos, most = AttemptNanos(_options, value.Length);
        untilNanos = now + most;
        var header = new CacheHeader
        {
            MemId = memId,
            Question = question,
            Flags = request.Flags,
            Code = (byte)request.Operation,
            KeyLength = (byte)request.Key.Length,
            Attempt = attempt,
        };
        if (request.Operation == CacheOperation.Get)
        {
            header.Kind = (byte)PacketKind.Read;
            attempts.Run = 0;
            return _channel.Send(header, request.Key.Span, default, memId);
        }

        header.Kind = (byte)PacketKind.Change;
        _known.TryGet(attempts.Root, now, out attempts.Run, out long aheadNanos);
        Span<byte> head = stackalloc byte[ChangeHead.Size + CacheOptions.MaxKeyLength];
        var change = new ChangeHead
        {
            Request = attempts.Request,
            RootRun = attempts.Run,
            DeadlineNanos = untilNanos - (most / 16) + aheadNanos,
            Cas = request.Cas,
            Expiry = request.Expiry,
            Delta = request.Delta,
            Root = attempts.Root,
            IsTooLarge = (ushort)(isTooLarge ? 1 : 0),
        };
        MemoryMarshal.Write(head, change);
        request.Key.Span.CopyTo(head[ChangeHead.Size..]);
        head = head[..(ChangeHead.Size + request.Key.Length)];

        // Without its run a root refuses in any case, and says what its run is: no need to carry the value there.
        Destination to = attempts.IsUncertain && !attempts.IsRepeatable ? attempts.Root : memId;
        return _channel.Send(header, head, attempts.Run == 0 ? default : value, to);
    }

    // What a refusal means for the next attempt. False: it may have been done, and nobody can say any more.
    private bool Learn(in Answer refusal, ref Attempts attempts, out long pauseNanos)
    {
        pauseNanos = 0;
        bool isFromMeant = refusal.From == attempts.Root && refusal.Run == attempts.Run;
        if (isFromMeant && refusal.Refusal != RefusalReason.Forgotten)
        {
            // It looked among its answers first: no earlier attempt was done there, and the deadlines of all are over.
            attempts.IsUncertain = false;
        }

        attempts.HasHint = false;
        switch (refusal.Refusal)
        {
            case RefusalReason.NotYet:
                pauseNanos = Math.Clamp(refusal.WaitNanos, 0, _timeoutNanos);
                return true;
            case RefusalReason.NotRoot:
                pauseNanos = RootChangeNanos;
                return true;
            case RefusalReason.WrongRun:
                // Asking a server for the first time is no reason to wait.
                pauseNanos = attempts.Run == 0 ? 0 : RootChangeNanos;
                return LearnRun(refusal, ref attempts);
            case RefusalReason.Forgotten:
                // Doing a set again is harmless, with a number that is not too old.
                attempts.Request = ++_requests;
                return attempts.IsRepeatable;
            default:
                return true;
        }
    }

    private bool LearnRun(in Answer refusal, ref Attempts attempts)
    {
        bool isRestarted = refusal.From == attempts.Root && attempts.Run != 0;
        bool beganBefore = refusal.UptimeNanos > _server.NowNanos - attempts.BegunNanos;
        if (isRestarted && !beganBefore && !attempts.IsRepeatable)
        {
            return false;
        }

        // The run that was meant ended before this operation began, or never got it. Ask whoever it was that took it, whatever this
        // server's view says: the packet was led there by the views on its way.
        (attempts.IsUncertain, attempts.Root, attempts.HasHint) = (false, refusal.From, true);
        return true;
    }

    private static long AttemptNanos(CacheOptions options, int valueLength) =>
        (long)options.Timeout.TotalNanoseconds + (valueLength / 1_024 * NanosPerKibibyte);
}
