using System.Runtime.CompilerServices;
using CamCube.FrontEnds.Buffers;
using CamCube.FrontEnds.Protocols;
using CamCube.Services.Cache.Memcached.Doors;

namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>
/// One key of one command, from its parsing to its answer; used again and again by one connection. Filled and read by
/// the connection's loop; between <see cref="Start"/> and <see cref="Question.IsDone"/> it belongs to the cache.
/// </summary>
internal sealed class CommandSlot : Question
{
    /// <summary>Longest key in bytes.</summary>
    public const int MaxKeyLength = 250;

    /// <summary>Longest O of a meta command with its text, in bytes.</summary>
    public const int MaxOpaqueLength = 32;

    private readonly byte[] _key = new byte[MaxKeyLength];
    private byte[] _opaque = [];
    private readonly MemcachedContext _context;
    private readonly ICacheDoor _door;
    private readonly Action _ended;
    private ConfiguredValueTaskAwaitable<CacheReply>.ConfiguredValueTaskAwaiter _call;
    private CacheTerms _terms;
    private CacheReply _reply;
    private int _keyLength;
    private int _opaqueLength;

    /// <summary>An empty slot.</summary>
    /// <param name="context">What the connections share.</param>
    /// <param name="door">The way to the cache.</param>
    /// <param name="owner">Told when the work has ended.</param>
    public CommandSlot(MemcachedContext context, ICacheDoor door, IQuestionOwner owner)
    {
        _context = context;
        _door = door;
        _ended = () =>
        {
            TakeResult();
            owner.QuestionEnded();
        };
    }

    /// <summary>What is to be done first.</summary>
    public SlotWork Work { get; set; }

    /// <summary>How it is answered.</summary>
    public SlotAnswer Answer { get; set; }

    /// <summary>The line of <see cref="SlotAnswer.Line"/>.</summary>
    public TextReply Line { get; set; }

    /// <summary>Whether the client wants no answer.</summary>
    public bool NoReply { get; set; }

    /// <summary>Whether a value is answered with its token.</summary>
    public bool WithCas { get; set; }

    /// <summary>Whether this is the last key of its get.</summary>
    public bool EndsGet { get; set; }

    /// <summary>Whether incr or decr of the meta protocol answers with the number.</summary>
    public bool WantsNumber { get; set; }

    /// <summary>The terms of <see cref="SlotWork.Cache"/>; for a flush the delay is their expiry. In place: a copy is
    /// 64 bytes.</summary>
    public ref CacheTerms Terms => ref _terms;

    /// <summary>What a meta command's answer repeats or tells.</summary>
    public MetaReturns Returns { get; set; }

    /// <summary>What the answer to a binary request needs of it.</summary>
    public BinaryRequest Binary { get; set; }

    /// <summary>What <see cref="SlotWork.Statistics"/> are about.</summary>
    public StatisticsGroup Group { get; set; }

    /// <summary>How <see cref="SlotWork.Statistics"/> are written.</summary>
    public IStatisticsForm? Form { get; set; }

    /// <summary>The value to store or the value read, or the text of <see cref="SlotAnswer.Text"/>.</summary>
    public ValueBuffer Value { get; } = new();

    /// <summary>How the work ended.</summary>
    public ref readonly CacheReply Reply => ref _reply;

    /// <summary>Whether the work ended with an exception.</summary>
    public bool HasFailed { get; private set; }

    /// <summary>The key.</summary>
    public ReadOnlySpan<byte> Key => _key.AsSpan(0, _keyLength);

    /// <summary>A meta command's O with its text, or nothing.</summary>
    public ReadOnlySpan<byte> Opaque => _opaque.AsSpan(0, _opaqueLength);

    /// <summary>
    /// Whether it only reads; reads pass each other. mg tells whether an item was read before, and changes it if it
    /// wins.
    /// </summary>
    public bool IsRead =>
        Work == SlotWork.Cache && Terms.Operation == CacheOperation.Get && Answer != SlotAnswer.MetaGet;

    /// <summary>Whether it answers with a value.</summary>
    public bool ReadsValue =>
        Work == SlotWork.Cache
        && Terms.Operation is CacheOperation.Get or CacheOperation.GetAndTouch
        && (Terms.Options & CacheTermOptions.WithoutValue) == 0;

    /// <summary>Whether all before it must have ended and all after it must wait.</summary>
    public bool IsBarrier => Work > SlotWork.Cache;

    /// <inheritdoc/>
    public override void Clear()
    {
        base.Clear();
        Work = SlotWork.None;
        Answer = SlotAnswer.Line;
        Line = TextReply.Ok;
        NoReply = false;
        WithCas = false;
        EndsGet = false;
        WantsNumber = false;
        _terms = default;
        Returns = default;
        Binary = default;
        Group = StatisticsGroup.Cube;
        Form = null;
        Value.Clear();
        _reply = default;
        HasFailed = false;
        _keyLength = 0;
        _opaqueLength = 0;
    }

    /// <inheritdoc/>
    public override void Release() => Value.Release();

    /// <summary>Takes a copy of the key, at most <see cref="MaxKeyLength"/> bytes.</summary>
    public void SetKey(ReadOnlySpan<byte> key)
    {
        key.CopyTo(_key);
        _keyLength = key.Length;
    }

    /// <summary>Takes a key that is written as base64; false if it is not.</summary>
    public bool TrySetBase64Key(ReadOnlySpan<byte> text)
    {
        _keyLength = Base64Key.Decode(text, _key);
        return _keyLength > 0;
    }

    /// <summary>Takes a copy of an opaque.</summary>
    public void SetOpaque(ReadOnlySpan<byte> opaque)
    {
        if (opaque.Length > _opaque.Length)
        {
            _opaque = new byte[MaxOpaqueLength];
        }

        opaque.CopyTo(_opaque);
        _opaqueLength = opaque.Length;
    }

    /// <summary>Turns it into an answer without work.</summary>
    public void SetLine(TextReply line)
    {
        Work = SlotWork.None;
        Answer = SlotAnswer.Line;
        Line = line;
    }

    /// <summary>The work was done at once, without <see cref="Start"/>.</summary>
    public void End(in CacheReply reply)
    {
        _reply = reply;
        Mark(isDone: true);
    }

    /// <summary>As if no work had been done: for the next key of the same line.</summary>
    public void Reopen()
    {
        _reply = default;
        Mark(isDone: false);
    }

    /// <summary>Begins the work. The owner is told of its end, unless it ended at once.</summary>
    public void Start()
    {
        if (Work == SlotWork.None)
        {
            Mark(isDone: true);
            return;
        }

        try
        {
            _call = CallAsync().ConfigureAwait(false).GetAwaiter();
        }
        catch (Exception error)
        {
            Fail(error);
            Mark(isDone: true);
            return;
        }

        if (_call.IsCompleted)
        {
            TakeResult();
        }
        else
        {
            _call.UnsafeOnCompleted(_ended);
        }
    }

    private ValueTask<CacheReply> CallAsync() =>
        Work switch
        {
            SlotWork.Cache => _door.ExecuteAsync(ToRequest()),
            SlotWork.FlushAll => _door.FlushAllAsync(Terms.Expiry),
            SlotWork.MemoryLimit => MemoryLimit.ChangeAsync(_context.Door, (long)Terms.Delta),
            SlotWork.Certificates => CertificateReload.RunAsync(_context.Tls!, this),
            _ => _context.Collect(_context, this),
        };

    private CacheRequest ToRequest() =>
        new()
        {
            Terms = _terms,
            Key = _key.AsMemory(0, _keyLength),
            Value = ReadsValue ? default : Value.Written,
            Into = ReadsValue ? Value : null,
        };

    private void TakeResult()
    {
        try
        {
            _reply = _call.GetResult();
        }
        catch (Exception error)
        {
            Fail(error);
        }

        _call = default;
        Mark(isDone: true);
    }

    private void Fail(Exception error)
    {
        if (error is ServiceUnavailableException)
        {
            _reply = new CacheReply(CacheStatus.Unavailable);
            return;
        }

        HasFailed = true;
        _context.Counters.CountFailure();
        MemcachedLog.CommandFailed(_context.Logger, error);
    }
}
