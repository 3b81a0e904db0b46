using System.Diagnostics.CodeAnalysis;

namespace CamCube.FrontEnds.Protocols;

/// <summary>
/// The questions of one client that are in work, oldest first: they end in any order and are answered in the order in
/// which they were asked. In the connection's turns only.
/// </summary>
/// <typeparam name="TQuestion">What is kept of a question.</typeparam>
/// <param name="most">Questions in work at one time.</param>
/// <param name="create">Makes a question; those that were answered are used again.</param>
public sealed class QuestionWindow<TQuestion>(int most, Func<TQuestion> create)
    where TQuestion : Question
{
    private readonly TQuestion?[] _ring = new TQuestion?[most];
    private readonly Stack<TQuestion> _free = new();
    private readonly List<TQuestion> _all = [];
    private int _head;

    /// <summary>Questions in work, or waiting for their answer to be written.</summary>
    public int Count { get; private set; }

    /// <summary>Whether one more has a place.</summary>
    public bool HasRoom => Count < _ring.Length;

    /// <summary>Whether the oldest can be answered.</summary>
    public bool IsHeadDone => Count > 0 && _ring[_head]!.IsDone;

    /// <summary>Whether one has not ended.</summary>
    public bool IsWorking
    {
        get
        {
            for (int i = 0; i < Count; i++)
            {
                if (!this[i].IsDone)
                {
                    return true;
                }
            }

            return false;
        }
    }

    /// <summary>A question in work, from the oldest on.</summary>
    public TQuestion this[int index]
    {
        get
        {
            int at = _head + index;
            return _ring[at < _ring.Length ? at : at - _ring.Length]!;
        }
    }

    /// <summary>Gives an empty question to fill.</summary>
    public TQuestion Rent()
    {
        if (!_free.TryPop(out TQuestion? question))
        {
            question = create();
            _all.Add(question);
        }

        return question;
    }

    /// <summary>Gives back one that is not in work.</summary>
    public void Return(TQuestion question)
    {
        question.Clear();
        _free.Push(question);
    }

    /// <summary>Takes a filled one in as the youngest.</summary>
    /// <exception cref="ProtocolException">There is no room: who did not ask for it has taken too much of its
    /// client.</exception>
    public void Add(TQuestion question)
    {
        if (!HasRoom)
        {
            throw new ProtocolException($"It has more than {_ring.Length} questions in work.");
        }

        int tail = _head + Count;
        _ring[tail < _ring.Length ? tail : tail - _ring.Length] = question;
        Count++;
    }

    /// <summary>The oldest, if it has ended.</summary>
    public bool TryPeekDone([NotNullWhen(true)] out TQuestion? question)
    {
        question = Count > 0 ? _ring[_head] : null;
        return question is { IsDone: true };
    }

    /// <summary>Takes the oldest out, after its answer was written. <see cref="Return"/> follows.</summary>
    public TQuestion Retire()
    {
        TQuestion question = _ring[_head]!;
        _ring[_head] = null;
        _head = _head + 1 == _ring.Length ? 0 : _head + 1;
        Count--;
        return question;
    }

    /// <summary>Gives all memory back; nothing is in work any more.</summary>
    public void Release()
    {
        foreach (TQuestion question in _all)
        {
            question.Release();
        }
    }
}
