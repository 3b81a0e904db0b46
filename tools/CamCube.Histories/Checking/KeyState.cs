namespace CamCube.Histories.Checking;

/// <summary>What a key is between two operations.</summary>
/// <param name="Value">Its value: of a key that is counted the number that it is, of others by a number, negative for
/// one that nobody read; <see cref="NoKey"/>: there is no such key.</param>
/// <param name="Version">Its version; 0 of a put that nobody has heard the version of.</param>
/// <param name="Floor">The highest version that is known: later ones are higher.</param>
internal readonly record struct KeyState(long Value, ulong Version, ulong Floor)
{
    /// <summary>There is no such key.</summary>
    public const long NoKey = long.MinValue;

    /// <summary>Before all operations.</summary>
    public static KeyState Nothing => new(NoKey, 0, 0);

    private bool IsThere => Value != NoKey;

    /// <summary>Places an operation. False: its answer cannot be.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="value">The value that it puts, or that a get gave, as a state has it.</param>
    /// <param name="asked">The value that it asks for, as a state has it, if it asks for one.</param>
    /// <param name="after">What the key is then.</param>
    public bool TryPlace(HistoryOperation operation, long value, long asked, out KeyState after)
    {
        after = this;
        switch (operation.Answer)
        {
            case HistoryAnswer.Done when operation.Kind == HistoryKind.Loss:
                after = new KeyState(
                    operation.Value is null ? NoKey : value,
                    operation.Kept,
                    Math.Max(Floor, operation.Version)
                );
                return operation.Version == 0 || operation.Version > Floor;
            case HistoryAnswer.Done when operation.Kind == HistoryKind.Get:
                return Value == value && TryLearn(operation.Version, out after);
            case HistoryAnswer.Done:
                return CanBeDone(operation, asked, out KeyState met) && met.TryChange(operation, value, out after);
            case HistoryAnswer.NotFound:
                return !IsThere;
            case HistoryAnswer.Conflict:
                return TryDiffer(operation, out after);
            default:
                // Whose end is not known is placed where it was done only.
                return CanBeDone(operation, asked, out met) && met.TryChange(operation, value, out after);
        }
    }

    /// <summary>All that can follow the other can follow this: it is the same but for what is known of versions, and of
    /// these no more is known.</summary>
    public bool Covers(in KeyState other) =>
        Value == other.Value
        && Floor <= other.Floor
        && (Version == other.Version || (Version == 0 && Floor < other.Version));

    // The key has this version.
    private bool TryLearn(ulong version, out KeyState after)
    {
        after = this;
        if (version == 0 || version == Version)
        {
            return true;
        }

        if (Version != 0 || version <= Floor)
        {
            return false;
        }

        after = new KeyState(Value, version, version);
        return true;
    }

    private bool CanBeDone(HistoryOperation operation, long asked, out KeyState met)
    {
        bool isMet = TryMeet(operation, asked, out met);
        return isMet && (operation.Kind != HistoryKind.Delete || IsThere);
    }

    // The key is as the operation asks.
    private bool TryMeet(HistoryOperation operation, long asked, out KeyState met)
    {
        met = this;
        if ((operation.IfPresent && !IsThere) || (operation.IfValue is not null && Value != asked))
        {
            return false;
        }

        return operation.IfVersion switch
        {
            null => true,
            0 => !IsThere,
            { } version => IsThere && TryLearn(version, out met),
        };
    }

    // The key is not as the operation asked.
    private bool TryDiffer(HistoryOperation operation, out KeyState after)
    {
        after = this;
        if (operation.IfPresent && !IsThere)
        {
            return operation.Version == 0;
        }

        if (operation.IfVersion is not { } asked)
        {
            return false;
        }

        if (!IsThere)
        {
            return asked != 0 && operation.Version == 0;
        }

        bool isOther = asked == 0 || (asked != Version && asked != operation.Version);
        return isOther && TryLearn(operation.Version, out after);
    }

    private bool TryChange(HistoryOperation operation, long value, out KeyState after)
    {
        ulong version = operation.Version;
        long next = operation.Kind switch
        {
            HistoryKind.Put => value,
            HistoryKind.Add => unchecked((IsThere ? Value : 0) + operation.By),
            _ => NoKey,
        };
        after = new KeyState(next, next == NoKey ? 0 : version, Math.Max(Floor, version));
        bool isSum = operation.Kind != HistoryKind.Add || operation.Answer != HistoryAnswer.Done || next == value;
        return isSum && (version == 0 || version > Floor);
    }
}
