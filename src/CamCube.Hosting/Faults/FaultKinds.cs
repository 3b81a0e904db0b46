using System.Globalization;
using CamCube.Faults;
using CamCube.Hosting.Settings;
using CamCube.ValueTexts;

namespace CamCube.Hosting.Faults;

/// <summary>The kinds of faults that can be ordered, and their arguments (docs/faults.md).</summary>
internal static class FaultKinds
{
    private const long LeastRate = 1_000;

    private static readonly (string Kind, string[] Arguments, Func<FaultArguments, LinkFault> Make)[] Kinds =
    [
        ("loss", ["probability"], a => new PacketLoss(a.Part("probability"))),
        ("corruption", ["probability"], a => new PacketCorruption(a.Part("probability"))),
        ("duplication", ["probability"], a => new PacketDuplication(a.Part("probability"))),
        (
            "delay",
            ["time", "jitter"],
            a => new PacketDelay(a.Time("time"), a.Has("jitter") ? a.Time("jitter") : default)
        ),
        ("reordering", ["probability", "time"], a => new PacketReordering(a.Part("probability"), a.Time("time"))),
        ("rate", ["rate"], a => new LinkRateLimit(a.Whole("rate", LeastRate))),
        ("cut", [], _ => new LinkCut()),
        ("flapping", ["period", "up"], a => new LinkFlapping(a.Time("period"), a.Part("up"))),
    ];

    /// <summary>All kinds.</summary>
    public static IReadOnlyCollection<string> All { get; } = [.. Kinds.Select(kind => kind.Kind)];

    /// <summary>All kinds, for messages.</summary>
    public static string Names => string.Join(", ", All);

    /// <summary>Names of the arguments of a kind; null: there is no such kind.</summary>
    public static IReadOnlyList<string>? ArgumentsOf(string kind) => Array.Find(Kinds, k => k.Kind == kind).Arguments;

    /// <summary>Makes a fault.</summary>
    /// <param name="kind">One of <see cref="Names"/>.</param>
    /// <param name="arguments">Its arguments.</param>
    /// <exception cref="FormatException">One is missing or wrong; the message says what is right.</exception>
    public static LinkFault Make(string kind, IReadOnlyDictionary<string, string> arguments) =>
        Array.Find(Kinds, k => k.Kind == kind).Make(new FaultArguments(kind, arguments));

    /// <summary>Arguments as texts, and what they mean.</summary>
    private readonly record struct FaultArguments(string Kind, IReadOnlyDictionary<string, string> Texts)
    {
        public bool Has(string name) => Texts.ContainsKey(name);

        public double Part(string name) =>
            double.TryParse(Text(name), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double part)
            && part <= 1
                ? part
                : throw Wrong(name, "a number from 0 to 1, as in 0.01");

        public TimeSpan Time(string name) =>
            DurationText.TryParse(Text(name), out TimeSpan time) && time > TimeSpan.Zero && time <= TimeSpan.FromDays(1)
                ? time
                : throw Wrong(name, $"{DurationText.Allowed}, more than zero and at most a day");

        public long Whole(string name, long least) =>
            long.TryParse(Text(name), NumberStyles.None, CultureInfo.InvariantCulture, out long number)
            && number >= least
                ? number
                : throw Wrong(
                    name,
                    string.Create(CultureInfo.InvariantCulture, $"a whole number of bits per second from {least:N0}")
                );

        private string Text(string name) =>
            Texts.TryGetValue(name, out string? text) ? text : throw new FormatException($"{Kind} needs {name}=...");

        private FormatException Wrong(string name, string right) => new($"{name}={Texts[name]} must be {right}.");
    }
}
