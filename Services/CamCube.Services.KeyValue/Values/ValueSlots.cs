using CamCube.Services.KeyValue.Log;

namespace CamCube.Services.KeyValue.Values;

/// <summary>A few buffers for a piece each, which many streams take by turns: who finds none waits in line. Loop
/// only.</summary>
internal sealed class ValueSlots(int most)
{
    private readonly Stack<byte[]> _free = [];
    private readonly Queue<LoopWait<byte[]?>> _waiting = [];
    private int _made;
    private bool _isStopped;

    /// <summary>Those that are in use.</summary>
    public int Taken => _made - _free.Count;

    /// <summary>Takes one. Null: the service stops.</summary>
    public ValueTask<byte[]?> TakeAsync()
    {
        if (_isStopped || _free.Count > 0)
        {
            return new(_isStopped ? null : _free.Pop());
        }

        if (_made < most)
        {
            _made++;
            return new(GC.AllocateUninitializedArray<byte>(LogPieces.BufferBytes));
        }

        var wait = new LoopWait<byte[]?>();
        _waiting.Enqueue(wait);
        return wait.Task;
    }

    /// <summary>Gives one back.</summary>
    public void Give(byte[] slot)
    {
        if (_waiting.TryDequeue(out LoopWait<byte[]?>? next))
        {
            next.End(slot);
        }
        else
        {
            _free.Push(slot);
        }
    }

    /// <summary>Nobody gets one any more.</summary>
    public void Stop()
    {
        _isStopped = true;
        while (_waiting.TryDequeue(out LoopWait<byte[]?>? next))
        {
            next.End(null);
        }
    }
}
