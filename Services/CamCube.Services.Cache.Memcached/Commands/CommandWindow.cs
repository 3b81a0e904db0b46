using System.Diagnostics.CodeAnalysis;
using CamCube.FrontEnds.Protocols;
using CamCube.Services.Cache.Memcached.Doors;

namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>
/// The commands of one client that are in work, oldest first: answered in that order, run at the same time as far as
/// nobody can tell. A client must see its own changes, so a command waits for an earlier one on the same key unless
/// both only read. In the connection's turns only.
/// </summary>
internal sealed class CommandWindow(MemcachedContext context, ICacheDoor door, IQuestionOwner owner, QuickAnswers quick)
{
    private readonly QuestionWindow<CommandSlot> _slots = new(
        context.Options.MaxPipelined,
        () => new CommandSlot(context, door, owner)
    );
    private int _reads;
    private int _nonReads;
    private long _storedBytes;
    private int _expectedLength = context.MaxValueLength;

    /// <summary>Commands in work, or waiting for their answer to be written.</summary>
    public int Count => _slots.Count;

    /// <summary>Whether one more command has a place.</summary>
    public bool HasRoom => _slots.HasRoom;

    /// <summary>Whether the oldest command can be answered.</summary>
    public bool IsHeadDone => _slots.IsHeadDone;

    /// <summary>Whether a command still belongs to the cache.</summary>
    public bool IsWorking => _slots.IsWorking;

    /// <summary>Gives an empty slot to fill; there must be room.</summary>
    public CommandSlot Rent() => _slots.Rent();

    /// <summary>Gives back a slot that was not launched.</summary>
    public void Return(CommandSlot slot) => _slots.Return(slot);

    /// <summary>Answers a filled slot on the spot; it stays with the caller. False: it has to be launched, and nothing
    /// was done.</summary>
    public bool TryAnswer(CommandSlot slot) => _slots.Count == 0 && quick.TryAnswer(slot);

    /// <summary>Whether <see cref="TryAnswer"/> makes sense for one more, before it is looked what else there is to
    /// do.</summary>
    public bool MayGoOn => quick.MayGoOn;

    /// <summary>The command after the next will be on this key.</summary>
    public void Hint(ReadOnlySpan<byte> key) => quick.Hint(key);

    /// <summary>Starts a filled slot as the youngest, unless it must wait for an earlier one.</summary>
    public bool TryLaunch(CommandSlot slot)
    {
        if (_slots.Count > 0 && slot.Work != SlotWork.None && (!HasBudget(slot) || HasConflict(slot)))
        {
            return false;
        }

        if (TryAnswer(slot))
        {
            Return(slot);
            return true;
        }

        _slots.Add(slot);
        Account(slot, 1);
        slot.Start();
        return true;
    }

    /// <summary>The oldest command, if its work has ended.</summary>
    public bool TryPeekDone([NotNullWhen(true)] out CommandSlot? slot) => _slots.TryPeekDone(out slot);

    /// <summary>Takes the oldest command out, after its answer was written.</summary>
    public void Retire()
    {
        CommandSlot slot = _slots.Retire();
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
    public void Release() => _slots.Release();

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

        for (int i = 0; i < _slots.Count; i++)
        {
            CommandSlot earlier = _slots[i];
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
}
