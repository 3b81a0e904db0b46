namespace CamCube.FrontEnds.Protocols;

/// <summary>One question of a client, from its reading to its answer; used again and again by one connection.</summary>
public abstract class Question
{
    private bool _isDone;

    /// <summary>Whether its work has ended. Any thread; what was written before is seen.</summary>
    public bool IsDone => Volatile.Read(ref _isDone);

    /// <summary>Makes it empty for the next.</summary>
    public virtual void Clear() => _isDone = false;

    /// <summary>Gives its memory back; nothing is lent any more.</summary>
    public virtual void Release() { }

    /// <summary>Its work has ended, or begins again.</summary>
    protected void Mark(bool isDone) => Volatile.Write(ref _isDone, isDone);
}
