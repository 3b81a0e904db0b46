using CamCube.FrontEnds.Http;

namespace CamCube.FrontEnds.Tests;

/// <summary>A service that keeps bytes under names, and makes bytes without end.</summary>
[CamCubeService(0x0731, "blobs")]
internal sealed class Blobs(IServer server) : CamCubeService
{
    private const int Warm = 1 << 20;

    // No multiple of anything.
    private const int Lent = 100_003;
    private readonly Dictionary<string, byte[]> _byName = new(StringComparer.Ordinal);
    private int _version;
    private long _allocated = -1;

    /// <summary>Bytes that the loop has taken of bodies, and made for answers.</summary>
    public long Taken { get; private set; }

    public long Made { get; private set; }

    /// <summary>Bodies that were not whole.</summary>
    public int Broken { get; private set; }

    /// <summary>Why bodies came to no end, in order.</summary>
    public List<BodyFault> Faults { get; } = [];

    /// <summary>Bytes that the last body has cost the loop's thread, from its second MiB on; said once.</summary>
    public long TakeAllocated()
    {
        (long allocated, _allocated) = (_allocated, -1);
        return allocated;
    }

    /// <summary>Calls of <see cref="StallAsync"/>.</summary>
    public int Stalling { get; private set; }

    /// <summary>The thread of the loop.</summary>
    public int LoopThread { get; } = Environment.CurrentManagedThreadId;

    /// <summary>Where every piece was seen.</summary>
    public HashSet<int> Threads { get; } = [];

    public IServer Server { get; } = server;

    public (int Version, byte[] Bytes)? Get(string name) =>
        _byName.TryGetValue(name, out byte[]? bytes) ? (_version, bytes) : null;

    public async ValueTask<long> PutAsync(string name, RequestBody body)
    {
        MemoryStream all = new();
        BodyPiece piece;
        do
        {
            piece = await body.ReadAsync();
            Threads.Add(Environment.CurrentManagedThreadId);
            foreach (ReadOnlyMemory<byte> part in piece.Bytes)
            {
                all.Write(part.Span);
            }

            Taken += piece.Bytes.Length;
        } while (piece.End == BodyEnd.More);

        if (piece.End == BodyEnd.Broken)
        {
            Broken++;
            return -1;
        }

        _version++;
        _byName[name] = all.ToArray();
        return all.Length;
    }

    /// <summary>Takes one piece and then nothing any more, until the body ends.</summary>
    public async ValueTask<long> StallAsync(RequestBody body, Task end)
    {
        Stalling++;
        BodyPiece piece = await body.ReadAsync();
        await end;
        return piece.Bytes.Length;
    }

    /// <summary>Compares a body with <see cref="ByteAt"/>. Its length; -1: a byte is another, or it is
    /// broken.</summary>
    public async ValueTask<long> CompareAsync(RequestBody body)
    {
        Stalling++;
        long at = 0,
            before = 0;
        bool fits = true;
        BodyPiece piece;
        do
        {
            piece = await body.ReadAsync();
            before = before == 0 && at > Warm ? GC.GetAllocatedBytesForCurrentThread() : before;
            foreach (ReadOnlyMemory<byte> part in piece.Bytes)
            {
                foreach (byte value in part.Span)
                {
                    fits &= value == ByteAt(at++);
                }
            }

            Taken += piece.Bytes.Length;
        } while (piece.End == BodyEnd.More);

        _allocated = before > 0 ? GC.GetAllocatedBytesForCurrentThread() - before : _allocated;
        if (piece.End == BodyEnd.Broken)
        {
            Faults.Add(body.Fault);
            return -1;
        }

        return fits ? at : -1;
    }

    /// <summary>Makes a part of an answer and gives it up.</summary>
    public async ValueTask<long> GiveUpAsync(AnswerBody answer, long length)
    {
        await MakeAsync(answer, 0, length / 2);
        await LendAsync(answer, length / 2, length - (length / 2));
        answer.Abort();
        return length;
    }

    public async ValueTask<long> MakeAsync(AnswerBody answer, long from, long length)
    {
        long before = 0;
        while (length > 0)
        {
            before = before == 0 && from > Warm ? GC.GetAllocatedBytesForCurrentThread() : before;
            _allocated = before > 0 ? GC.GetAllocatedBytesForCurrentThread() - before : _allocated;
            Span<byte> room = answer.GetSpan();
            int count = (int)Math.Min(room.Length, length);
            for (int i = 0; i < count; i++)
            {
                room[i] = ByteAt(from + i);
            }

            answer.Advance(count);
            (from, length, Made) = (from + count, length - count, Made + count);
            Threads.Add(Environment.CurrentManagedThreadId);
            if (!await answer.FlushAsync())
            {
                Faults.Add(answer.Fault);
                break;
            }
        }

        return Made;
    }

    /// <summary>The same out of one piece of memory, which is lent and then filled anew.</summary>
    public async ValueTask<long> LendAsync(AnswerBody answer, long from, long length)
    {
        byte[] piece = new byte[Lent];
        long before = 0;
        while (length > 0)
        {
            before = before == 0 && from > Warm ? GC.GetAllocatedBytesForCurrentThread() : before;
            _allocated = before > 0 ? GC.GetAllocatedBytesForCurrentThread() - before : _allocated;
            int count = (int)Math.Min(piece.Length, length);
            for (int i = 0; i < count; i++)
            {
                piece[i] = ByteAt(from + i);
            }

            (from, length, Made) = (from + count, length - count, Made + count);
            Threads.Add(Environment.CurrentManagedThreadId);
            if (!await answer.SendAsync(piece.AsMemory(0, count)))
            {
                Faults.Add(answer.Fault);
                break;
            }

            // Whoever reads here still gets nothing that is right.
            Array.Clear(piece);
        }

        return Made;
    }

    public static byte ByteAt(long at) => (byte)(at * 7 + (at >> 8));
}
