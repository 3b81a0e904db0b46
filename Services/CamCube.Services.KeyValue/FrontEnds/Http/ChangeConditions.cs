using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Primitives;
using Microsoft.Net.Http.Headers;

namespace CamCube.Services.KeyValue.FrontEnds.Http;

/// <summary>
/// What If-Match and If-None-Match ask of a change (RFC 9110, 13.1). One tag, or <c>*</c>, is a condition of the store.
/// Of several a change is made under the condition of the version that is there, and again under that of another if it
/// was another: each time the store decides, so that what was asked holds when the change is made. Immutable.
/// </summary>
internal sealed class ChangeConditions
{
    // A version comes once; only a key that others change all the time needs more than two.
    private const int MostTries = 16;
    private static readonly EntityTagHeaderValue[] Nothing = [];
    private readonly bool _hasMatch;
    private readonly bool _matchesAny;
    private readonly ulong[] _match;
    private readonly bool _refusesAny;
    private readonly ulong[] _refused;

    private ChangeConditions(IList<EntityTagHeaderValue>? match, IList<EntityTagHeaderValue>? none)
    {
        _hasMatch = match is not null;
        _matchesAny = match?.Any(IsAny) ?? false;
        _match = [.. VersionsOf((match ?? Nothing).Where(tag => !tag.IsWeak))];
        _refusesAny = none?.Any(IsAny) ?? false;
        _refused = [.. VersionsOf(none ?? Nothing)];
    }

    /// <summary>No version can be as they ask.</summary>
    public bool FitNothing =>
        _hasMatch && (_refusesAny || (!_matchesAny && _match.All(version => _refused.Contains(version))));

    /// <summary>Reads the headers of a request.</summary>
    /// <param name="headers">The headers.</param>
    /// <param name="conditions">What they ask.</param>
    /// <returns>What is wrong with them; null: nothing.</returns>
    public static string? Read(IHeaderDictionary headers, out ChangeConditions conditions)
    {
        string? match = Tags(headers.IfMatch, "If-Match", out IList<EntityTagHeaderValue>? matching),
            none = Tags(headers.IfNoneMatch, "If-None-Match", out IList<EntityTagHeaderValue>? refused);
        conditions = new ChangeConditions(matching, refused);
        return match ?? none;
    }

    /// <summary>Makes a change under them. Loop only.</summary>
    /// <param name="change">Makes it under one condition.</param>
    /// <returns>The answer; Conflict with a version that fits: others changed the key each time it was tried.</returns>
    public async ValueTask<KeyValueAnswer> ChangeAsync(Func<KeyValueCondition, ValueTask<KeyValueAnswer>> change)
    {
        KeyValueCondition condition = First();
        KeyValueAnswer answer = await change(condition);
        for (int i = 1; i < MostTries && answer.Status == KeyValueStatus.Conflict && Fit(answer.Version); i++)
        {
            condition = answer.Version == 0 ? KeyValueCondition.Absent : KeyValueCondition.Is(answer.Version);
            answer = await change(condition);
        }

        return answer;
    }

    /// <summary>Whether a version is as they ask; 0: there is no value.</summary>
    public bool Fit(ulong version) =>
        (!_hasMatch || (version != 0 && (_matchesAny || _match.Contains(version))))
        && !(version != 0 && (_refusesAny || _refused.Contains(version)));

    /// <summary>Whether they ask that there is no value.</summary>
    public bool AskAbsence => _refusesAny && !_hasMatch;

    // The condition that decides alone, or one that at most succeeds where they fit, and else brings the version.
    private KeyValueCondition First() =>
        !_hasMatch ? (_refusesAny || _refused.Length > 0 ? KeyValueCondition.Absent : default)
        : !_matchesAny ? KeyValueCondition.Is(_match.First(Fit))
        : _refused.Length == 0 ? KeyValueCondition.Present
        : KeyValueCondition.Is(ulong.MaxValue);

    private static bool IsAny(EntityTagHeaderValue tag) => tag.Tag == "*";

    private static IEnumerable<ulong> VersionsOf(IEnumerable<EntityTagHeaderValue> tags) =>
        tags.Select(tag => KeyValueTarget.TryVersion(tag.Tag.AsSpan().Trim('"'), out ulong version) ? version : 0)
            .Where(version => version != 0);

    // A condition that cannot be read must not be none.
    private static string? Tags(StringValues header, string name, out IList<EntityTagHeaderValue>? tags)
    {
        bool isRead =
            EntityTagHeaderValue.TryParseStrictList([.. header.Select(one => one ?? "")], out tags) && tags.Count > 0;
        tags = isRead ? tags : null;
        return header.Count > 0 && !isRead
            ? $"{name} cannot be read; ETags stand in quotes, with commas between, or * alone."
            : null;
    }
}
