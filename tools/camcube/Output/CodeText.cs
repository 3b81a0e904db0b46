using CamCube.Administration.Answers;

namespace CamCube.Tool.Output;

/// <summary>Which code services have, in words.</summary>
internal static class CodeText
{
    /// <summary>A version with the hash that tells two builds of it apart; a dash if nobody said.</summary>
    public static string Of(string? version, string? hash) => version is null ? "-" : $"{version} ({hash})";

    /// <summary>Those of one service on several servers: one, or how many have which. Servers that were asked
    /// through the torus do not say.</summary>
    public static string Of(IEnumerable<ServiceAnswer> services)
    {
        (string Code, int Count)[] codes =
        [
            .. services
                .Where(service => service.Version is not null)
                .GroupBy(service => Of(service.Version, service.Hash))
                .Select(group => (group.Key, group.Count())),
        ];
        return codes switch
        {
            [] => "-",
            [var only] => only.Code,
            _ => string.Join(", ", codes.Select(code => $"{code.Count} have {code.Code}")),
        };
    }
}
