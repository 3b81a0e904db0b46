namespace CamCube.Runtime.Memory;

/// <summary>A claim of one instance of a service. Loop only.</summary>
internal sealed class MemoryClaim(ServiceMemory owner, string name, long bytes) : IMemoryClaim
{
    private PooledChunk? _chunks;
    private bool _ended;

    public string Name => name;

    public long Bytes { get; private set; } = bytes;

    public long InChunks { get; private set; }

    /// <summary>"claim 'receive' of streams on server (0,0,0)".</summary>
    public string Description => field ??= $"claim '{name}' of {owner.Description}";

    public bool TryGrow(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        if (_ended || !owner.Budget.TryTake(bytes))
        {
            return false;
        }

        Bytes += bytes;
        return true;
    }

    public void Shrink(long bytes)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(bytes);
        if (_ended)
        {
            return;
        }

        if (bytes > Bytes - InChunks)
        {
            throw new OwnershipException(
                $"The {Description} has {Bytes} bytes, {InChunks} of them in chunks, and cannot give {bytes} back: "
                    + $"return chunks first."
            );
        }

        Bytes -= bytes;
        owner.Budget.Give(bytes);
    }

    public bool TryRentChunk(out Chunk chunk)
    {
        if (_ended || Bytes - InChunks < Chunk.Size)
        {
            chunk = default;
            return false;
        }

        InChunks += Chunk.Size;
        PooledChunk pooled = owner.Cache.Rent();
        pooled.Begin(this, ref _chunks);
        chunk = new Chunk(pooled, pooled.Turn);
        return true;
    }

    public void Return(Chunk chunk)
    {
        var pooled = (PooledChunk)chunk.Check();
        if (pooled.Claim != this)
        {
            throw new OwnershipException(
                $"A chunk of the {pooled.Claim?.Description} was returned to the {Description}."
            );
        }

        if (!pooled.TryEnd(ref _chunks))
        {
            throw new OwnershipException(
                $"A chunk of the {Description} was returned while a disk operation, or a pin, uses it: "
                    + $"await the operation first."
            );
        }

        InChunks -= Chunk.Size;
        owner.Cache.Return(pooled);
    }

    public void Release()
    {
        if (_ended)
        {
            return;
        }

        if (InChunks > 0)
        {
            throw new OwnershipException(
                $"The {Description} was released with {InChunks / Chunk.Size} chunks out: return them first."
            );
        }

        End();
        owner.Forget(this);
    }

    /// <summary>Takes all back: the instance has ended. What somebody still reads or writes is counted until he has
    /// done.</summary>
    public void End()
    {
        if (_ended)
        {
            return;
        }

        _ended = true;
        long back = Bytes;
        while (_chunks is { } pooled)
        {
            if (pooled.Abandon(ref _chunks, owner.Budget))
            {
                owner.Cache.Return(pooled);
            }
            else
            {
                back -= Chunk.Size;
            }
        }

        owner.Budget.Give(back);
        (Bytes, InChunks) = (0, 0);
    }
}
