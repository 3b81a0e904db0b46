using System.Runtime.InteropServices;
using CamCube.Linux;
using CamCube.Runtime.Memory;
using CamCube.Runtime.Workers;

namespace CamCube.Runtime.Storage;

/// <summary>
/// One operation on files: made on a thread for disks, because it blocks, and ended on the loop of the service that
/// asked for it. What the instance that ends has asked for is made all the same. Chunks that it reads or writes are
/// held until the thread is done with it.
/// </summary>
internal abstract class FileJob<T>(IWorkOwner owner) : AwaitedJob<T>(owner)
{
    private T _outcome = default!;
    private PooledChunk? _chunk;
    private List<PooledChunk>? _more;

    public override string Describe() => GetType().Name;

    public override void Run()
    {
        try
        {
            _outcome = Make();
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            _outcome = Answer(DiskStatus.NotFound);
        }
        catch (ObjectDisposedException)
        {
            _outcome = Answer(DiskStatus.Stopped);
        }
        catch (FolderInUseException)
        {
            _outcome = Answer(DiskStatus.InUse);
        }
        catch (IOException e) when (DiskError.IsFull(e))
        {
            _outcome = Answer(DiskStatus.Full);
        }
        catch (Exception e)
            when (e is IOException or UnauthorizedAccessException or NotSupportedException or ArgumentException)
        {
            // Nobody but the service can do anything about it, and a failed disk is an answer.
            _outcome = Answer(DiskStatus.Failed);
        }
    }

    /// <summary>On the loop, or after its end anywhere.</summary>
    public override void Execute()
    {
        Unpin();
        if (Owner.Inbox.IsClosed)
        {
            Unwanted(_outcome);
            return;
        }

        IsWithLane = false;
        if (!IsPending)
        {
            Unwanted(_outcome);
            TryRecycle();
            return;
        }

        Owner.BeginResult();
        End(_outcome);
        Owner.EndResult();
    }

    public override void Stop() => End(Answer(DiskStatus.Stopped));

    /// <summary>The operation itself. On a worker thread.</summary>
    protected abstract T Make();

    /// <summary>The answer for a status other than Done.</summary>
    protected abstract T Answer(DiskStatus status);

    /// <summary>Nobody takes the result.</summary>
    protected virtual void Unwanted(T outcome) { }

    /// <summary>Asks for the operation.</summary>
    /// <param name="buffer">What it reads or writes.</param>
    protected ValueTask<T> Begin(ReadOnlyMemory<byte> buffer = default)
    {
        Pin(buffer);
        return Ask();
    }

    /// <summary>It is made already. Its end comes as if a thread had made it: nobody's call ends before it has
    /// returned, or calls who called it.</summary>
    /// <param name="outcome">The answer.</param>
    /// <param name="buffer">What it has read.</param>
    protected ValueTask<T> EndSoon(T outcome, ReadOnlyMemory<byte> buffer)
    {
        Pin(buffer);
        ValueTask<T> task = Open();
        (_outcome, IsWithLane) = (outcome, true);
        Owner.Inbox.Post(this);
        return task;
    }

    /// <summary>Asks for the operation.</summary>
    /// <param name="pieces">What it writes.</param>
    protected ValueTask<T> Begin(IReadOnlyList<ReadOnlyMemory<byte>> pieces)
    {
        for (int i = 0; i < pieces.Count; i++)
        {
            if (MemoryMarshal.TryGetMemoryManager(pieces[i], out PooledChunk? chunk))
            {
                chunk.Pin();
                (_more ??= []).Add(chunk);
            }
        }

        return Ask();
    }

    protected override void Recycle() => _outcome = default!;

    private ValueTask<T> Ask()
    {
        ValueTask<T> task = Open();
        if (Owner.Work.TryAdd(WorkClass.Disk, this))
        {
            return task;
        }

        Unpin();
        Withdraw();
        return new ValueTask<T>(Answer(DiskStatus.Busy));
    }

    private void Pin(ReadOnlyMemory<byte> buffer)
    {
        if (MemoryMarshal.TryGetMemoryManager(buffer, out PooledChunk? chunk))
        {
            chunk.Pin();
            _chunk = chunk;
        }
    }

    private void Unpin()
    {
        _chunk?.Unpin();
        _chunk = null;
        if (_more is { Count: > 0 })
        {
            _more.ForEach(static chunk => chunk.Unpin());
            _more.Clear();
        }
    }
}
