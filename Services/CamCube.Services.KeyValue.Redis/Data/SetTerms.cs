using CamCube.Services.KeyValue.Redis.Protocol;

namespace CamCube.Services.KeyValue.Redis.Data;

/// <summary>What SET says behind its value.</summary>
internal readonly record struct SetTerms
{
    public bool OnlyIfAbsent { get; init; }

    public bool OnlyIfPresent { get; init; }

    /// <summary>The old value is the answer.</summary>
    public bool Gets { get; init; }

    /// <summary>It is there as long as the old one.</summary>
    public bool KeepsTime { get; init; }

    /// <summary>How long it is there; null: until it is deleted.</summary>
    public TimeSpan? Expires { get; init; }

    /// <summary>The time it should end at is over.</summary>
    public bool IsPast { get; init; }

    /// <summary>Reads them; false: with an error.</summary>
    public static bool TryRead(DataCall call, out SetTerms terms, out string error)
    {
        terms = default;
        error = Errors.Syntax;
        bool hasTime = false;
        for (int i = 3; i < call.Count; i++)
        {
            if (call.Is(i, "nx"u8) && !terms.OnlyIfPresent)
            {
                terms = terms with { OnlyIfAbsent = true };
            }
            else if (call.Is(i, "xx"u8) && !terms.OnlyIfAbsent)
            {
                terms = terms with { OnlyIfPresent = true };
            }
            else if (call.Is(i, "get"u8))
            {
                terms = terms with { Gets = true };
            }
            else if (call.Is(i, "keepttl"u8) && !hasTime)
            {
                (terms, hasTime) = (terms with { KeepsTime = true }, true);
            }
            else if (ExpiryTime.IsUnit(call, i) && !hasTime && i + 1 < call.Count)
            {
                if (!ExpiryTime.TryRead(call, i, out TimeSpan left, out bool isPast, out error))
                {
                    return false;
                }

                (terms, hasTime) = (terms with { Expires = left, IsPast = isPast }, true);
                error = Errors.Syntax;
                i++;
            }
            else
            {
                return false;
            }
        }

        return true;
    }
}
