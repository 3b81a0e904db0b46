using CamCube.Client.Cache.Connections;
using CamCube.Client.Cache.Entries;
using Microsoft.Extensions.Options;

namespace CamCube.Client.Cache;

/// <summary>Names every setting that cannot be used, with its value.</summary>
internal sealed class CamCubeCacheOptionsValidator : IValidateOptions<CamCubeCacheOptions>
{
    /// <summary>Operations keep the servers they tried in one 64-bit word.</summary>
    public const int MostServers = 64;

    public ValidateOptionsResult Validate(string? name, CamCubeCacheOptions options)
    {
        List<string> faults = [];
        if (options.Servers.Count is 0 or > MostServers)
        {
            faults.Add(
                $"{nameof(options.Servers)} has {options.Servers.Count} entries; it must have 1 to {MostServers}."
            );
        }

        foreach (string server in options.Servers)
        {
            if (!ServerAddress.TryParse(server, out _))
            {
                faults.Add($"{nameof(options.Servers)} has '{server}', which is not host:port.");
            }
        }

        if (options.Servers.Distinct(StringComparer.OrdinalIgnoreCase).Count() != options.Servers.Count)
        {
            faults.Add($"{nameof(options.Servers)} names a server twice: {string.Join(", ", options.Servers)}.");
        }

        if (!CacheKey.IsPrefix(options.KeyPrefix))
        {
            faults.Add(
                $"{nameof(options.KeyPrefix)} '{options.KeyPrefix}' must have at most {CacheKey.MaxPrefixLength} bytes "
                    + "and neither spaces nor control characters."
            );
        }

        if (options.ConnectionsPerServer is < 1 or > 16)
        {
            faults.Add(
                $"{nameof(options.ConnectionsPerServer)} is {options.ConnectionsPerServer}; it must be 1 to 16."
            );
        }

        if (options.MaxValueLength is < 1 or > (1 << 30))
        {
            faults.Add($"{nameof(options.MaxValueLength)} is {options.MaxValueLength}; it must be 1 to {1 << 30}.");
        }

        CheckTime(faults, nameof(options.ConnectTimeout), options.ConnectTimeout);
        CheckTime(faults, nameof(options.AnswerTimeout), options.AnswerTimeout);
        CheckTime(faults, nameof(options.FirstBackoff), options.FirstBackoff);
        CheckTime(faults, nameof(options.LongestBackoff), options.LongestBackoff);
        if (options.LongestBackoff < options.FirstBackoff)
        {
            faults.Add(
                $"{nameof(options.LongestBackoff)} {options.LongestBackoff} is shorter than "
                    + $"{nameof(options.FirstBackoff)} {options.FirstBackoff}."
            );
        }

        CheckName(faults, nameof(options.Distribution), options.Distribution);
        CheckName(faults, nameof(options.OnOutage), options.OnOutage);
        CheckName(faults, nameof(options.OnOversize), options.OnOversize);
        return faults.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(faults);
    }

    private static void CheckTime(List<string> faults, string name, TimeSpan value)
    {
        if (value < TimeSpan.FromMilliseconds(1) || value > TimeSpan.FromHours(1))
        {
            faults.Add($"{name} is {value}; it must be 1 ms to 1 h.");
        }
    }

    private static void CheckName<T>(List<string> faults, string name, T value)
        where T : struct, Enum
    {
        if (!Enum.IsDefined(value))
        {
            faults.Add($"{name} {value} is none of {string.Join(", ", Enum.GetNames<T>())}.");
        }
    }
}
