using CamCube.Runtime.Memory;

namespace CamCube.Runtime.Engine;

/// <summary>
/// The timers of one server: a 4-ary heap of objects that are made once. Arming and cancelling are O(log n) and
/// allocate nothing once the heap is as large as needed. Order is (due, arming sequence), so timers that are due
/// together fire as they were armed.
/// </summary>
internal sealed class TimerHeap(HotPointer hot)
{
    private LoopTimer[] _heap = new LoopTimer[4];
    private int _count;
    private ulong _sequence;

    // The timer that fires now has left the root, and nothing has taken its place: most services arm it again at once,
    // and it goes where it was.
    private bool _isRootTaken;

    /// <summary>Takes the first timer that is due, or null. Afterwards <see cref="Settle"/> has to be called, or this
    /// once more.</summary>
    public LoopTimer? TakeDue(long now)
    {
        Settle();
        if (_count == 0 || _heap[0].Due > now)
        {
            return null;
        }

        LoopTimer timer = _heap[0];
        timer.Index = -1;
        _isRootTaken = true;
        return timer;
    }

    /// <summary>Fills the place of the timer that was taken last, if it was not armed again.</summary>
    public void Settle()
    {
        if (!_isRootTaken)
        {
            return;
        }

        _isRootTaken = false;
        LoopTimer last = _heap[--_count];
        _heap[_count] = null!;
        if (_count > 0)
        {
            Down(last, 0);
        }

        NoteNext();
    }

    public void Arm(LoopTimer timer, long due)
    {
        if (timer.Index >= 0)
        {
            // While the keys in the heap are those by which it is a heap.
            Settle();
        }

        (timer.Due, timer.Sequence) = (due, _sequence++);
        if (timer.Index >= 0)
        {
            Move(timer, timer.Index);
        }
        else if (_isRootTaken)
        {
            _isRootTaken = false;
            Down(timer, 0);
        }
        else
        {
            if (_count == _heap.Length)
            {
                Array.Resize(ref _heap, _count * 2);
            }

            Up(timer, _count++);
        }

        NoteNext();
    }

    public void Remove(LoopTimer timer)
    {
        Settle();
        int i = timer.Index;
        if (i < 0)
        {
            return;
        }

        timer.Index = -1;
        LoopTimer last = _heap[--_count];
        _heap[_count] = null!;
        if (last != timer)
        {
            Move(last, i);
        }

        NoteNext();
    }

    /// <summary>Takes out all timers of an owner, in one pass.</summary>
    public void RemoveAll(ServiceView owner)
    {
        Settle();
        int kept = 0;
        for (int i = 0; i < _count; i++)
        {
            LoopTimer timer = _heap[i];
            if (timer.Owner == owner)
            {
                timer.Index = -1;
            }
            else
            {
                _heap[kept] = timer;
                timer.Index = kept++;
            }
        }

        if (kept == _count)
        {
            return;
        }

        Array.Clear(_heap, kept, _count - kept);
        _count = kept;
        for (int i = (kept - 2) >> 2; i >= 0; i--)
        {
            Down(_heap[i], i);
        }

        NoteNext();
    }

    private static bool Less(LoopTimer a, LoopTimer b) => a.Due < b.Due || (a.Due == b.Due && a.Sequence < b.Sequence);

    private void NoteNext() => hot.Ref.When[HotState.TimerLane] = _count == 0 ? long.MaxValue : _heap[0].Due;

    // To where it belongs, which may be either way.
    private void Move(LoopTimer timer, int i)
    {
        if (i > 0 && Less(timer, _heap[(i - 1) >> 2]))
        {
            Up(timer, i);
        }
        else
        {
            Down(timer, i);
        }
    }

    private void Up(LoopTimer timer, int i)
    {
        LoopTimer[] heap = _heap;
        while (i > 0)
        {
            int parent = (i - 1) >> 2;
            LoopTimer above = heap[parent];
            if (!Less(timer, above))
            {
                break;
            }

            heap[i] = above;
            above.Index = i;
            i = parent;
        }

        Put(heap, timer, i);
    }

    private void Down(LoopTimer timer, int i)
    {
        LoopTimer[] heap = _heap;
        int count = _count;
        for (; ; )
        {
            int child = (4 * i) + 1;
            if (child >= count)
            {
                break;
            }

            int place = child;
            LoopTimer least = heap[child];
            int end = Math.Min(child + 4, count);
            for (int k = child + 1; k < end; k++)
            {
                LoopTimer other = heap[k];
                if (Less(other, least))
                {
                    (place, least) = (k, other);
                }
            }

            if (!Less(least, timer))
            {
                break;
            }

            heap[i] = least;
            least.Index = i;
            i = place;
        }

        Put(heap, timer, i);
    }

    // The collector is told of every reference that is stored, so none is stored where it is already.
    private static void Put(LoopTimer[] heap, LoopTimer timer, int i)
    {
        if (heap[i] != timer)
        {
            heap[i] = timer;
        }

        timer.Index = i;
    }
}
