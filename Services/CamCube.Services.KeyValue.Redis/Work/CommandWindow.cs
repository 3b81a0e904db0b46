using System.Diagnostics.CodeAnalysis;
using CamCube.FrontEnds.Protocols;

namespace CamCube.Services.KeyValue.Redis.Work;

/// <summary>
/// The commands of one client that are in work, oldest first: answered in that order, run at the same time as far as
/// the client cannot tell. It must see its own changes, so a command waits for an earlier one on the same key unless
/// both only read; one of several keys for any that changes some; one of the whole store for all. In the connection's
/// turns only.
/// </summary>
/// <param name="most">Commands in work at one time.</param>
/// <param name="create">Makes one.</param>
internal sealed class CommandWindow(int most, Func<RedisQuestion> create)
{
    private readonly QuestionWindow<RedisQuestion> _questions = new(most, create);

    /// <summary>Commands in work, or waiting for their answer to be written.</summary>
    public int Count => _questions.Count;

    /// <summary>Whether one more has a place.</summary>
    public bool HasRoom => _questions.HasRoom;

    /// <summary>Whether the oldest can be answered.</summary>
    public bool IsHeadDone => _questions.IsHeadDone;

    /// <summary>Whether one still belongs to the server's loop.</summary>
    public bool IsWorking => _questions.IsWorking;

    /// <summary>Gives an empty one to fill.</summary>
    public RedisQuestion Rent() => _questions.Rent();

    /// <summary>Gives back one that is not in work.</summary>
    public void Return(RedisQuestion question) => _questions.Return(question);

    /// <summary>Takes one in as the youngest.</summary>
    public void Add(RedisQuestion question) => _questions.Add(question);

    /// <summary>The oldest, if its work has ended.</summary>
    public bool TryPeekDone([NotNullWhen(true)] out RedisQuestion? question) => _questions.TryPeekDone(out question);

    /// <summary>Takes the oldest out, after its answer was written.</summary>
    public void Retire() => _questions.Return(_questions.Retire());

    /// <summary>Gives all memory back; nothing is in work any more.</summary>
    public void Release() => _questions.Release();

    /// <summary>Whether the youngest is alone, and has not ended.</summary>
    public bool IsClosed => Count > 0 && _questions[Count - 1] is { IsAlone: true, IsDone: false };

    /// <summary>Whether one must wait for an earlier one.</summary>
    public bool MustWait(RedisQuestion question)
    {
        for (int i = 0; i < _questions.Count; i++)
        {
            RedisQuestion earlier = _questions[i];
            bool isInWork = earlier.HasWork && !earlier.IsDone;
            if (isInWork && (question.IsAlone || (question.HasWork && HaveConflict(earlier, question))))
            {
                return true;
            }
        }

        return false;
    }

    private static bool HaveConflict(RedisQuestion earlier, RedisQuestion later) =>
        !(earlier.Command.IsRead && later.Command.IsRead)
        && earlier.Call.Table == later.Call.Table
        && (earlier.HasMany || later.HasMany || earlier.OnlyKey.SequenceEqual(later.OnlyKey));
}
