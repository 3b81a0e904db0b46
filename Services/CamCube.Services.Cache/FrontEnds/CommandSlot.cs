using System.Runtime.CompilerServices;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>
/// One key of one command, from its parsing to its answer; used again and again by one connection. Filled and read by
/// the connection's loop; between <see cref="Start"/> and <see cref="IsDone"/> it belongs to the cache.
/// </summary>
internal sealed class CommandSlot
{
    /// <summary>Longest key in bytes.</summary>
    internal const int MaxKeyLength = 250;

    private readonly byte[] _key = new byte[MaxKeyLength];
    private readonly MemcachedContext _context;
    private readonly ICommandOwner _owner;
    private readonly Action _ended;
    private ConfiguredValueTaskAwaitable<CacheReply>.ConfiguredValueTaskAwaiter _call;
    private int _keyLength;
    private int _lentLength = -1;
    private bool _isDone;

    /// <summary>An empty slot.</summary>
    /// <param name="context">What the connections share.</param>
    /// <param name="owner">Told when the work has ended.</param>
    internal CommandSlot(MemcachedContext context, ICommandOwner owner)
    {
        _context = context;
        _owner = owner;
        _ended = () =>
        {
            TakeResult();
            _owner.CommandEnded();
        };
    }

    /// <summary>What is to be done first.</summary>
    internal SlotWork Work { get; set; }

    /// <summary>How it is answered.</summary>
    internal SlotAnswer Answer { get; set; }

    /// <summary>The line of <see cref="SlotAnswer.Line"/>.</summary>
    internal TextReply Line { get; set; }

    /// <summary>Whether the client wants no answer.</summary>
    internal bool NoReply { get; set; }

    /// <summary>Whether a value is answered with its token.</summary>
    internal bool WithCas { get; set; }

    /// <summary>Whether this is the last key of its get.</summary>
    internal bool EndsGet { get; set; }

    /// <summary>The operation of <see cref="SlotWork.Cache"/>.</summary>
    internal CacheOperation Operation { get; set; }

    /// <summary>Flags to store.</summary>
    internal uint Flags { get; set; }

    /// <summary>Expiry, or the delay of a flush.</summary>
    internal long Expiry { get; set; }

    /// <summary>Token of cas.</summary>
    internal ulong Cas { get; set; }

    /// <summary>Delta of incr and decr.</summary>
    internal ulong Delta { get; set; }

    /// <summary>The value to store or the value read, or the text of <see cref="SlotAnswer.Text"/>.</summary>
    internal ValueBuffer Value { get; } = new();

    /// <summary>Bytes of the value to answer with: of <see cref="Value"/>, or of one that stays in the store's memory.</summary>
    internal int ValueLength => _lentLength >= 0 ? _lentLength : Value.Length;

    /// <summary>How the work ended.</summary>
    internal CacheReply Reply { get; private set; }

    /// <summary>Whether the work ended with an exception.</summary>
    internal bool HasFailed { get; private set; }

    /// <summary>Whether the work has ended. Any thread; what was written before is seen.</summary>
    internal bool IsDone => Volatile.Read(ref _isDone);

    /// <summary>The key.</summary>
    internal ReadOnlySpan<byte> Key => _key.AsSpan(0, _keyLength);

    /// <summary>Whether it only reads; reads pass each other.</summary>
    internal bool IsRead => Work == SlotWork.Cache && Operation == CacheOperation.Get;

    /// <summary>Whether it answers with a value.</summary>
    internal bool ReadsValue => Work == SlotWork.Cache && Operation is CacheOperation.Get or CacheOperation.GetAndTouch;

    /// <summary>Whether all before it must have ended and all after it must wait.</summary>
    internal bool IsBarrier => Work > SlotWork.Cache;

    /// <summary>The operation of <see cref="SlotWork.Cache"/>, in the cache's words.</summary>
    internal CacheTerms Terms => new()
    {
        Operation = Operation,
        Flags = Flags,
        Expiry = Expiry,
        Cas = Cas,
        Delta = Delta,
    };

    /// <summary>Makes it empty for the next command.</summary>
    internal void Clear()
    {
        Work = SlotWork.None;
        Answer = SlotAnswer.Line;
        Line = TextReply.Ok;
        NoReply = false;
        WithCas = false;
        EndsGet = false;
        Operation = CacheOperation.Get;
        Flags = 0;
        Expiry = 0;
        Cas = 0;
        Delta = 0;
        Value.Clear();
        Reply = default;
        HasFailed = false;
        _keyLength = 0;
        _lentLength = -1;
        _isDone = false;
    }

    /// <summary>Takes a copy of the key, at most <see cref="MaxKeyLength"/> bytes.</summary>
    internal void SetKey(ReadOnlySpan<byte> key)
    {
        key.CopyTo(_key);
        _keyLength = key.Length;
    }

    /// <summary>Turns it into an answer without work.</summary>
    internal void SetLine(TextReply line)
    {
        Work = SlotWork.None;
        Answer = SlotAnswer.Line;
        Line = line;
    }

    /// <summary>The work was done at once, without <see cref="Start"/>.</summary>
    internal void End(in CacheReply reply) => (Reply, _isDone) = (reply, true);

    /// <summary>As <see cref="End(in CacheReply)"/>, with a value that is not in <see cref="Value"/>.</summary>
    internal void End(in CacheReply reply, int valueLength) => (Reply, _isDone, _lentLength) = (reply, true, valueLength);

    /// <summary>Begins the work. The owner is told of its end, unless it ended at once.</summary>
    internal void Start()
    {
        if (Work == SlotWork.None)
        {
            _isDone = true;
            return;
        }

        try
        {
            _call = CallAsync().ConfigureAwait(false).GetAwaiter();
        }
        catch (Exception error)
        {
            Fail(error);
            _isDone = true;
            return;
        }

        if (_call.IsCompleted)
            TakeResult();
        else
            _call.UnsafeOnCompleted(_ended);
    }

    private ValueTask<CacheReply> CallAsync() => Work switch
    {
        SlotWork.Cache => _context.Door.ExecuteAsync(ToRequest()),
        SlotWork.FlushAll => _context.Door.FlushAllAsync(Expiry),
        _ => StatisticsText.CollectAsync(_context, Work == SlotWork.CubeStatistics, Value),
    };

    private CacheRequest ToRequest() => new()
    {
        Terms = Terms,
        Key = _key.AsMemory(0, _keyLength),
        Value = ReadsValue ? default : Value.Written,
        Into = ReadsValue ? Value : null,
    };

    private void TakeResult()
    {
        try
        {
            Reply = _call.GetResult();
        }
        catch (Exception error)
        {
            Fail(error);
        }

        _call = default;
        Volatile.Write(ref _isDone, true);
    }

    private void Fail(Exception error)
    {
        if (error is ServiceUnavailableException)
        {
            Reply = new CacheReply(CacheStatus.Unavailable);
            return;
        }

        HasFailed = true;
        _context.Counters.CountFailure();
        MemcachedLog.CommandFailed(_context.Logger, error);
    }
}
