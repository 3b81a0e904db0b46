using CamCube.Runtime.Internal;

namespace CamCube.Runtime.Engine;

/// <summary>
/// The timers of one server: a 4-ary heap of objects that are made once. Arming and cancelling are O(log n) and allocate nothing once the
/// heap is as large as needed. Order is (due, arming sequence), so timers that are due together fire as they were armed.
/// </summary>
internal sealed class TimerHeap(HotPointer hot)
{
    private LoopTimer[] _heap = new LoopTimer[4];
    private int _count;
    private ulong _sequence;

    public long Next => _count == 0 ? long.MaxValue : _heap[0].Due;

    public LoopTimer? TakeDue(long now)
    {
        if (_count == 0 || _heap[0].Due > now)
        {
            return null;
        }

        LoopTimer timer = _heap[0];
        Remove(timer);
        return timer;
    }

    public void Arm(LoopTimer timer, long due)
    {
        (timer.Due, timer.Sequence) = (due, _sequence++);
        if (timer.Index < 0)
        {
            if (_count == _heap.Length)
            {
                Array.Resize(ref _heap, _count * 2);
            }

            timer.Index = _count;
            _heap[_count++] = timer;
        }

        Up(timer.Index);
        Down(timer.Index);
        hot.Ref.When[HotState.TimerLane] = Next;
    }

    public void Remove(LoopTimer timer)
    {
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
            _heap[i] = last;
            last.Index = i;
            Up(i);
            Down(last.Index);
        }

        hot.Ref.When[HotState.TimerLane] = Next;
    }

    public void RemoveAll(ServiceView owner)
    {
        for (int i = 0; i < _count;)
        {
            if (_heap[i].Owner == owner)
            {
                // The heap is rearranged: start over. Rare, and heaps are small.
                Remove(_heap[i]);
                i = 0;
            }
            else
            {
                i++;
            }
        }
    }

    private static bool Less(LoopTimer a, LoopTimer b) => a.Due < b.Due || (a.Due == b.Due && a.Sequence < b.Sequence);

    private void Up(int i)
    {
        LoopTimer timer = _heap[i];
        while (i > 0)
        {
            int parent = (i - 1) >> 2;
            if (!Less(timer, _heap[parent]))
            {
                break;
            }

            _heap[i] = _heap[parent];
            _heap[i].Index = i;
            i = parent;
        }

        _heap[i] = timer;
        timer.Index = i;
    }

    private void Down(int i)
    {
        LoopTimer timer = _heap[i];
        for (; ; )
        {
            int child = (4 * i) + 1;
            if (child >= _count)
            {
                break;
            }

            int least = child;
            for (int k = child + 1; k < Math.Min(child + 4, _count); k++)
            {
                if (Less(_heap[k], _heap[least]))
                {
                    least = k;
                }
            }

            if (!Less(_heap[least], timer))
            {
                break;
            }

            _heap[i] = _heap[least];
            _heap[i].Index = i;
            i = least;
        }

        _heap[i] = timer;
        timer.Index = i;
    }
}
