using System.Buffers;
using System.Text;
using CamCube.Client.Cache.Entries;
using CamCube.Client.Cache.Protocol;
using CamCube.Client.Cache.Tests.Kit;

namespace CamCube.Client.Cache.Tests.Protocol;

public sealed class AnswerReaderTests
{
    private const string Plain = "1286360577"; // EntryExpiry.PlainFlags
    private readonly AnswerReader _reader = new(1000, TimeProvider.System);

    public static TheoryData<string, string, string> Good =>
        new()
        {
            { "Read", $"VA 4 f{Plain} t-1 c9 O7\r\n\u0010abc\r\n", "Done abc" },
            { "Read", $"VA 1 c9 f{Plain} O7 t-1\r\n\u0010\r\n", "Done " },
            { "Read", $"VA 7 O7 f{Plain} t5 c9 kxyz s4 W\r\n\u0010ab\r\nEN\r\n", "Done ab\r\nEN" },
            { "Read", "EN\r\n", "Absent" },
            { "Read", "EN O7\r\n", "Absent" },
            { "Read", "VA 3 f0 t-1 c9 O7\r\nabc\r\n", "Absent" },
            { "Read", $"VA 3 f{Plain} t-1 c9 O7\r\nabc\r\n", "Absent" },
            { "Read", "SERVER_ERROR busy\r\n", "Refused" },
            { "Look", $"HD f{Plain} t5 c9 O7\r\n", "Done" },
            { "Look", "EN\r\n", "Absent" },
            { "Touch", "HD c9 O7\r\n", "Done" },
            { "Touch", "EN\n", "Absent" },
            { "Store", "HD O7\r\n", "Done" },
            { "Store", "SERVER_ERROR object too large for cache\r\n", "TooLarge" },
            { "Store", "SERVER_ERROR out of memory storing object\r\n", "Refused" },
            { "Remove", "HD O7\r\n", "Done" },
            { "Remove", "NF\r\n", "Absent" },
            { "Remove", "NF O7\r\n", "Absent" },
        };

    [Theory]
    [MemberData(nameof(Good))]
    public async Task An_answer_is_taken_when_it_is_whole_however_it_arrives(string kind, string text, string expected)
    {
        byte[] bytes = Encoding.Latin1.GetBytes(text + "rest");
        for (int piece = 1; piece <= bytes.Length; piece++)
        {
            var destination = new ArrayBufferWriter<byte>();
            PendingRequest request = Request(kind, destination);
            int answerLength = bytes.Length - "rest".Length;
            for (int arrived = 0; arrived < answerLength; arrived++)
            {
                ReadOnlySequence<byte> part = Pieces.Of(bytes.AsMemory(0, arrived), piece);
                Assert.Equal(
                    (ReadOutcome.Partial, arrived),
                    (_reader.Read(ref part, request, out _), (int)part.Length)
                );
            }

            ReadOnlySequence<byte> all = Pieces.Of(bytes, piece);
            Assert.Equal(ReadOutcome.Taken, _reader.Read(ref all, request, out _));
            Assert.Equal("rest", Encoding.Latin1.GetString(all));
            Answer answer = await request.WaitAsync();
            Assert.Equal(expected.Split(' ', 2)[0], answer.Kind.ToString());
            string value = expected.Contains(' ') ? expected.Split(' ', 2)[1] : "";
            Assert.Equal(value, Encoding.Latin1.GetString(destination.WrittenSpan));
        }
    }

    [Theory]
    [InlineData("Read", "HD O7\r\n")]
    [InlineData("Read", "NF\r\n")]
    [InlineData("Read", "END\r\n")]
    [InlineData("Read", "ERROR\r\n")]
    [InlineData("Read", "CLIENT_ERROR bad command line format\r\n")]
    [InlineData("Read", "\r\n")]
    [InlineData("Read", "VA\r\n")]
    [InlineData("Read", "VA x f1 O7\r\n")]
    [InlineData("Read", "VA -1 f1 t1 c1 O7\r\n")]
    [InlineData("Read", "VA 99999999999999999999 f1 t1 c1 O7\r\n")]
    [InlineData("Read", "VA 1018 f1 t1 c1 O7\r\n")]
    [InlineData("Read", "VA 3 f1 t1 c1 O8\r\nabc\r\n")]
    [InlineData("Read", "VA 3 f1 t1 c1\r\nabc\r\n")]
    [InlineData("Read", "VA 3 f1x t1 c1 O7\r\nabc\r\n")]
    [InlineData("Read", "VA 3 f1 t1 c-1 O7\r\nabc\r\n")]
    [InlineData("Read", "VA 3 f1 t1 c1 O7\r\nabcd\r\n")]
    [InlineData("Read", "EN O8\r\n")]
    [InlineData("Look", "VA 1 f1 t1 c1 O7\r\na\r\n")]
    [InlineData("Look", "HD f1 t1 c1\r\n")]
    [InlineData("Touch", "HD O\r\n")]
    [InlineData("Store", "NS O7\r\n")]
    [InlineData("Store", "NF\r\n")]
    [InlineData("Store", "EN\r\n")]
    [InlineData("Remove", "EN\r\n")]
    public void What_is_no_answer_is_a_breach_that_is_told(string kind, string text)
    {
        PendingRequest request = Request(kind, new ArrayBufferWriter<byte>());
        var received = new ReadOnlySequence<byte>(Encoding.Latin1.GetBytes(text));
        Assert.Equal(ReadOutcome.Breach, _reader.Read(ref received, request, out string? breach));
        Assert.Equal(text.Split("\r\n")[0], breach);
    }

    [Fact]
    public void A_line_that_does_not_end_is_a_breach()
    {
        var received = new ReadOnlySequence<byte>(new byte[2049]);
        Assert.Equal(ReadOutcome.Breach, _reader.Read(ref received, Request("Read", null), out string? breach));
        Assert.Equal("a line without an end", breach);
    }

    [Fact]
    public void Bytes_that_could_harm_a_log_are_not_told()
    {
        var received = new ReadOnlySequence<byte>([0x1b, (byte)'[', 0, 0xff, (byte)'\n']);
        Assert.Equal(ReadOutcome.Breach, _reader.Read(ref received, Request("Read", null), out string? breach));
        Assert.Equal("?[??", breach);
    }

    [Fact]
    public void Random_bytes_never_throw()
    {
        var random = new Random(77);
        string[] words =
        [
            "VA ",
            "HD ",
            "EN",
            "f",
            "t",
            "c",
            "O7",
            " ",
            "\r\n",
            "\n",
            "3",
            "-1",
            "SERVER_ERROR ",
            "\0",
            "ÿ",
        ];
        for (int i = 0; i < 50_000; i++)
        {
            string text = string.Concat(
                Enumerable.Range(0, random.Next(12)).Select(_ => words[random.Next(words.Length)])
            );
            ReadOnlySequence<byte> received = Pieces.Of(Encoding.Latin1.GetBytes(text), random.Next(1, 5));
            long length = received.Length;
            ReadOutcome outcome = _reader.Read(
                ref received,
                Request(((CommandKind)random.Next(5)).ToString(), null),
                out string? breach
            );

            // What is not whole stays; what is a breach is told.
            Assert.Equal(outcome == ReadOutcome.Breach, breach is not null);
            Assert.True(outcome != ReadOutcome.Partial || received.Length == length, text);
        }
    }

    private static PendingRequest Request(string kind, IBufferWriter<byte>? destination) =>
        PendingRequest.Rent(new Command(Enum.Parse<CommandKind>(kind), "a") { Destination = destination }, 7, 0);
}
