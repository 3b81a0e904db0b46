using System.Diagnostics.CodeAnalysis;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>
/// The commands of one client that are in work, oldest first: answered in that order, run at the same time as far as
/// nobody can tell. A client must see its own changes, so a command waits for an earlier one on the same key unless
/// both only read. Connection's loop only.
/// </summary>
internal sealed class CommandWindow(MemcachedContext context, ICommandOwner owner, IQuickAnswers? quick = null)
{
    private readonly CommandSlot?[] _ring = new CommandSlot?[context.Options.MaxPipelined];
    private readonly Stack<CommandSlot> _free = new();
    private readonly List<CommandSlot> _all = [];
    private int _head;
    private int _count;
    private int _reads;
    private int _nonReads;
    private long _storedBytes;
    private int _expectedLength = context.MaxValueLength;

    /// <summary>Whether nothing is in work or waits for its answer to be written.</summary>
    public bool IsEmpty => _count == 0;

    /// <summary>Whether one more command has a place.</summary>
    public bool HasRoom => _count < _ring.Length;

    /// <summary>Whether the oldest command can be answered.</summary>
    public bool IsHeadDone => _count > 0 && _ring[_head]!.IsDone;

    /// <summary>Whether a command still belongs to the cache.</summary>
    public bool IsWorking
    {
        get
        {
            for (int i = 0; i < _count; i++)
            {
                if (!At(i).IsDone)
                {
                    return true;
                }
            }

            return false;
        }
    }

    /// <summary>Gives an empty slot to fill; there must be room.</summary>
    public CommandSlot Rent()
    {
        if (!_free.TryPop(out CommandSlot? slot))
        {
            slot = new CommandSlot(context, owner);
            _all.Add(slot);
        }

        return slot;
    }

    /// <summary>Gives back a slot that was not launched.</summary>
    public void Return(CommandSlot slot)
    {
        slot.Clear();
        _free.Push(slot);
    }

    /// <summary>Answers a filled slot on the spot; it stays with the caller. False: it has to be launched, and nothing
    /// was done.</summary>
    public bool TryAnswer(CommandSlot slot) => _count == 0 && quick is not null && quick.TryAnswer(slot);

    /// <summary>Whether <see cref="TryAnswer"/> makes sense for one more, before it is looked what else there is to
    /// do.</summary>
    public bool MayGoOn => quick is { MayGoOn: true };

    /// <summary>The command after the next will be on this key.</summary>
    public void Hint(ReadOnlySpan<byte> key) => quick?.Hint(key);

    /// <summary>Starts a filled slot as the youngest, unless it must wait for an earlier one.</summary>
    public bool TryLaunch(CommandSlot slot)
    {
        if (_count > 0 && slot.Work != SlotWork.None && (!HasBudget(slot) || HasConflict(slot)))
        {
            return false;
        }

        if (TryAnswer(slot))
        {
            Return(slot);
            return true;
        }

        int tail = _head + _count;
        _ring[tail < _ring.Length ? tail : tail - _ring.Length] = slot;
        _count++;
        Account(slot, 1);
        slot.Start();
        return true;
    }

    /// <summary>The oldest command, if its work has ended.</summary>
    public bool TryPeekDone([NotNullWhen(true)] out CommandSlot? slot)
    {
        slot = _count > 0 ? _ring[_head] : null;
        return slot is { IsDone: true };
    }

    /// <summary>Takes the oldest command out, after its answer was written.</summary>
    public void Retire()
    {
        CommandSlot slot = _ring[_head]!;
        _ring[_head] = null;
        _head = _head + 1 == _ring.Length ? 0 : _head + 1;
        _count--;
        Account(slot, -1);

        // Falls slowly and rises at once: a client that reads large values now and then is taken for one that always
        // does.
        if (slot.ReadsValue)
        {
            _expectedLength = Math.Max(slot.Value.Length, _expectedLength - (_expectedLength >> 3));
        }

        Return(slot);
    }

    /// <summary>Gives all memory back; nothing is in work any more.</summary>
    public void Release()
    {
        foreach (CommandSlot slot in _all)
        {
            slot.Value.Release();
        }
    }

    private void Account(CommandSlot slot, int sign)
    {
        if (slot.Work == SlotWork.None)
        {
            return;
        }

        if (!slot.IsRead)
        {
            _nonReads += sign;
        }

        if (slot.ReadsValue)
        {
            _reads += sign;
        }
        else if (!slot.IsBarrier)
        {
            _storedBytes += sign * slot.Value.Length;
        }
    }

    private bool HasBudget(CommandSlot slot)
    {
        long limit = context.Options.MaxBufferedBytes;
        return slot.ReadsValue
            ? (long)_expectedLength * (_reads + 1) <= limit
            : _storedBytes + slot.Value.Length <= limit;
    }

    private bool HasConflict(CommandSlot slot)
    {
        if (_nonReads == 0 && slot.IsRead)
        {
            return false;
        }

        for (int i = 0; i < _count; i++)
        {
            CommandSlot earlier = At(i);
            if (earlier.Work == SlotWork.None || earlier.IsDone || (earlier.IsRead && slot.IsRead))
            {
                continue;
            }

            if (earlier.IsBarrier || slot.IsBarrier || earlier.Key.SequenceEqual(slot.Key))
            {
                return true;
            }
        }

        return false;
    }

    private CommandSlot At(int i)
    {
        int index = _head + i;
        return _ring[index < _ring.Length ? index : index - _ring.Length]!;
    }
}
