using System.Buffers.Binary;
using System.Globalization;
using System.Security.Cryptography;
using CamCube.Histories;
using CamCube.Histories.Checking;
using CamCube.Services.Images;
using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Simulated;
using CamCube.Simulator.Checkers;
using CamCube.Swarm.KeyValues;

namespace CamCube.Swarm.Images;

/// <summary>What all clients of a run did and were told. A picture is a function of its number, which stands behind its
/// header; a variant is known by the hash of its bytes.</summary>
internal sealed class ImagesHistory(ImagesSettings settings)
{
    private const int NumberAt = 23;
    private const long MostSteps = 20_000_000;
    private readonly Dictionary<ulong, (string Name, int Length)> _puts = [];
    private readonly Dictionary<Key, (ulong Number, int Variant)> _variants = [];
    private readonly List<HistoryOperation> _operations = [];
    private readonly PromiseChecker _linearizable = new("images-linearizable");
    private readonly PromiseChecker _decided = new("images-decided");
    private readonly PromiseChecker _bytes = new("images-bytes");

    /// <summary>What is checked.</summary>
    public IReadOnlyList<Checker> Checkers => [_linearizable, _decided, _bytes];

    /// <summary>All that ended.</summary>
    public IReadOnlyList<HistoryOperation> Operations => _operations;

    /// <summary>A picture that is going to be put.</summary>
    public byte[] Begin(string name, int length, out ulong number)
    {
        number = (ulong)_puts.Count + 1;
        _puts.Add(number, (name, Math.Max(length, NumberAt + sizeof(ulong))));
        byte[] picture = PictureOf(number);
        PictureHeader.Read(picture, PictureLimits.Default, out PictureHeader header);
        VariantSetting[] made = settings.Images.Made;
        for (int i = 0; i < made.Length; i++)
        {
            _variants.Add(KeyOf(SimulatedPictures.Make(picture, header, made[i].Spec).Bytes.Span), (number, i));
        }

        return picture;
    }

    /// <summary>The name that a picture has in the history.</summary>
    public static string NameOf(ulong number) => string.Create(CultureInfo.InvariantCulture, $"p{number}");

    /// <summary>Which picture that is, once it has been looked whether it is whole; null: none that was put there.
    /// </summary>
    public string? Identify(string name, ReadOnlySpan<byte> picture, long nanos)
    {
        ulong number =
            picture.Length < NumberAt + sizeof(ulong)
                ? 0
                : BinaryPrimitives.ReadUInt64LittleEndian(picture[NumberAt..]);
        bool isRight =
            _puts.TryGetValue(number, out (string Name, int Length) put)
            && put.Name == name
            && picture.SequenceEqual(PictureOf(number));
        int length = picture.Length;
        _bytes.Check(
            isRight,
            nanos,
            () => $"A get of {name} gave {length} bytes with number {number}: these were never put there."
        );
        return isRight ? NameOf(number) : null;
    }

    /// <summary>Of which picture that is a variant; null: of none that was put there.</summary>
    public string? Identify(string name, int variant, ReadOnlySpan<byte> bytes, long nanos)
    {
        bool isRight =
            _variants.TryGetValue(KeyOf(bytes), out (ulong Number, int Variant) made)
            && made.Variant == variant
            && _puts[made.Number].Name == name;
        int length = bytes.Length;
        _bytes.Check(
            isRight,
            nanos,
            () =>
                $"Variant {variant} of {name} has {length} bytes, which are those of picture {made.Number}'s "
                + $"{made.Variant}, or none."
        );
        return isRight ? NameOf(made.Number) : null;
    }

    /// <summary>An operation has ended.</summary>
    public void Add(HistoryOperation operation) => _operations.Add(operation);

    /// <summary>Judges all of it.</summary>
    public void Judge(long nanos)
    {
        HistoryVerdict verdict = LinearizabilityChecker.Check(_operations, MostSteps);
        _linearizable.NoteRight(_operations.Count);
        _linearizable.Check(
            verdict.IsLinearizable != false,
            nanos,
            () => $"No order explains {verdict.Unexplained}; beside it: {string.Join("; ", verdict.Beside)}."
        );
        _decided.Check(
            verdict.IsLinearizable is not null,
            nanos,
            () => $"Of {verdict.Key} no order was found in time."
        );
    }

    private byte[] PictureOf(ulong number)
    {
        byte[] picture = new byte[_puts[number].Length];
        var random = new Random((int)number);
        random.NextBytes(picture);
        ReadOnlySpan<byte> head =
        [
            0xFF,
            0xD8,
            0xFF,
            0xC0,
            0,
            17,
            8,
            0,
            0,
            0,
            0,
            3,
            1,
            0x22,
            0,
            2,
            0x11,
            1,
            3,
            0x11,
            1,
            0xFF,
            0xDA,
        ];
        head.CopyTo(picture);
        BinaryPrimitives.WriteUInt16BigEndian(picture.AsSpan(7), (ushort)random.Next(1, 1_200));
        BinaryPrimitives.WriteUInt16BigEndian(picture.AsSpan(9), (ushort)random.Next(1, 1_600));
        BinaryPrimitives.WriteUInt64LittleEndian(picture.AsSpan(NumberAt), number);
        return picture;
    }

    private static Key KeyOf(ReadOnlySpan<byte> bytes) => Key.FromBytes(SHA1.HashData(bytes));
}
