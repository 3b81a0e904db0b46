using CamCube.Loads.Choosing;
using CamCube.Loads.Settings;

namespace CamCube.Loads.Operations;

/// <summary>What is asked next. One thread.</summary>
internal sealed class LoadSource
{
    private readonly LoadPhase _phase;
    private readonly Workload _workload;
    private readonly InsertedKeys _inserted;
    private readonly LoadRandom _random;
    private readonly KeyChooser _chooser;

    /// <summary>A source.</summary>
    /// <param name="phase">The phase.</param>
    /// <param name="options">The workload and the seed.</param>
    /// <param name="inserted">Records that are there.</param>
    /// <param name="number">Which source it is: each draws others.</param>
    public LoadSource(LoadPhase phase, LoadOptions options, InsertedKeys inserted, int number)
    {
        (_phase, _workload, _inserted) = (phase, options.Workload, inserted);
        _random = new LoadRandom(LoadRandom.Mix(options.Seed) ^ LoadRandom.Mix((ulong)number + 1));
        _chooser = new KeyChooser(options.Workload.Distribution, inserted, _random);
    }

    /// <summary>The next operation.</summary>
    /// <param name="index">Its number in the phase, from 0.</param>
    public LoadOperation Next(long index)
    {
        switch (_phase)
        {
            case LoadPhase.Load:
                return new LoadOperation(OperationKind.Insert, index, 0);
            case LoadPhase.Remove:
                // Records first, then numbers: those of them that were added to have the number of a record each.
                bool isCounter = index >= _inserted.Begun;
                long record = isCounter ? index - _inserted.Begun : index;
                return new LoadOperation(OperationKind.Delete, record, 0) { IsCounter = isCounter };
            default:
                OperationKind kind = _workload.Mix.Next(_random);
                long number = kind == OperationKind.Insert ? _inserted.Begin() : _chooser.Next();
                return new LoadOperation(kind, number, (long)(_random.Next() >> 1))
                {
                    IsCounter = kind == OperationKind.Increment,
                };
        }
    }

    /// <summary>An operation has ended, in whatever way.</summary>
    public void End(in LoadOperation operation)
    {
        if (operation.Kind == OperationKind.Insert && _phase == LoadPhase.Run)
        {
            _inserted.End(operation.Number);
        }
    }
}
