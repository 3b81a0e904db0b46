using CamCube.Services.Collectives.Folding;
using CamCube.Services.Collectives.Wire;
using CamCube.Trees;

namespace CamCube.Services.Collectives.Groups;

/// <summary>The trees of a group, all or a short one, and the operations along them, in order. Loop only.</summary>
internal sealed class Channel
{
    private readonly List<Operation> _waiting = [];
    private readonly TreeEdges[] _trees;
    private bool _isFinishing;

    public Channel(Group group, uint number, TreeLinks[] links)
    {
        (Group, Number) = (group, number);
        _trees = new TreeEdges[links.Length];
        for (int tree = 0; tree < links.Length; tree++)
        {
            _trees[tree] = new TreeEdges(this, (byte)tree, links[tree]);
        }
    }

    public Group Group { get; }

    public uint Number { get; }

    /// <summary>Operations that have not ended, in order.</summary>
    public List<Operation> Waiting => _waiting;

    public void Open()
    {
        foreach (TreeEdges tree in _trees)
        {
            tree.Open();
        }
    }

    public ValueTask<CollectiveResult> Begin(
        Operation operation,
        OperationHead head,
        Memory<byte> buffer,
        FoldKernel? kernel,
        ReduceFunction? function
    )
    {
        ValueTask<CollectiveResult> result = operation.Begin(head, buffer, kernel, function);
        Add(operation);
        return result;
    }

    /// <summary>Begins a part of an operation, which has begun.</summary>
    public void Begin(Operation part, Operation whole, Memory<byte> buffer, FoldKernel? kernel)
    {
        part.Begin(whole, buffer, kernel);
        Add(part);
    }

    /// <summary>Looks whether others do here what this member has done elsewhere.</summary>
    public void LookAstray()
    {
        for (int tree = 0; tree < _trees.Length && !Group.IsOver; tree++)
        {
            _trees[tree].LookAstray();
        }
    }

    public PullRefusal OnPull(PullOutput output, byte tree, bool isUp, int from, long position, out IPullSource? source)
    {
        source = null;
        return tree < _trees.Length
            ? _trees[tree].OnPull(output, isUp, from, position, out source)
            : PullRefusal.Malformed;
    }

    /// <summary>The operation whose bytes are at a place of a tree's edges; null: it is not called yet.</summary>
    public Operation? OperationAt(byte tree, long position, bool isUp)
    {
        foreach (Operation operation in _waiting)
        {
            if (position < (isUp ? operation.Up : operation.Down)[tree].End)
            {
                return operation;
            }
        }

        return null;
    }

    /// <summary>Ends what is done, in order.</summary>
    public void Finish()
    {
        if (_isFinishing)
        {
            return;
        }

        _isFinishing = true;
        int done = 0;
        while (!Group.IsOver && done < _waiting.Count && IsDone(_waiting[done]))
        {
            Operation operation = _waiting[done++];
            for (int tree = 0; tree < _trees.Length; tree++)
            {
                _trees[tree].Keep(operation);
            }

            Group.OnDone(operation);
        }

        if (!Group.IsOver)
        {
            _waiting.RemoveRange(0, done);
        }

        _isFinishing = false;
    }

    /// <summary>Ends all, whatever they are.</summary>
    /// <param name="result">What is said.</param>
    /// <param name="word">What the ends of the edges hear; null: nothing, what is under way arrives.</param>
    public void Stop(in CollectiveResult result, PullRefusal? word)
    {
        foreach (TreeEdges tree in _trees)
        {
            tree.Stop(word);
        }

        foreach (Operation operation in _waiting)
        {
            operation.End(result);
        }

        _waiting.Clear();
    }

    /// <summary>Edges break off, for tests.</summary>
    public void Break(Func<bool> which) => Array.ForEach(_trees, tree => tree.Break(which));

    private void Add(Operation operation)
    {
        for (int tree = 0; tree < _trees.Length; tree++)
        {
            _trees[tree].Add(operation, tree, _trees.Length);
        }

        _waiting.Add(operation);
        for (int tree = 0; tree < _trees.Length && !Group.IsOver; tree++)
        {
            _trees[tree].Work();
        }

        Finish();
    }

    private bool IsDone(Operation operation)
    {
        foreach (TreeEdges tree in _trees)
        {
            if (!tree.IsDone(operation))
            {
                return false;
            }
        }

        return true;
    }
}
