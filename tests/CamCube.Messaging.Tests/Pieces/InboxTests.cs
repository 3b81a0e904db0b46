using CamCube.Messaging.Pieces;

namespace CamCube.Messaging.Tests.Pieces;

public sealed class InboxTests
{
    private static readonly Coordinate A = new(0, 0, 0),
        B = new(1, 0, 0);

    [Fact]
    public void Pieces_in_any_order_with_duplicates_make_the_message()
    {
        var random = new Random(3);
        for (int round = 0; round < 200; round++)
        {
            int length = random.Next(2, 3_000),
                piece = random.Next(1, length);
            byte[] content = TestBytes.Of(length, round);
            var inbox = new Inbox<Letter>(new MessageOptions());
            var shape = new PieceShape(length, piece);
            HalfMessage<Letter> half = inbox.Open(new MessageId(A, 1, 1), default, shape, 0)!;
            var left = new HashSet<int>(Enumerable.Range(0, shape.Count));
            while (!half.IsWhole)
            {
                int i = random.Next(shape.Count);
                Assert.Equal(left.Remove(i), half.Add(i, content.AsSpan(shape.OffsetOf(i), shape.LengthOf(i)), 5));
            }

            Assert.Empty(left);
            Assert.Equal(content, half.Bytes.ToArray());
            inbox.Remove(half, isWhole: true);
            Assert.True(inbox.WasWhole(half.Id));
            Assert.Equal(0, inbox.Bytes);
            inbox.Recycle(half);
        }
    }

    [Fact]
    public void The_question_names_exactly_what_is_missing()
    {
        var random = new Random(4);
        Span<byte> bitmap = stackalloc byte[8];
        for (int round = 0; round < 500; round++)
        {
            int count = random.Next(2, 150);
            var shape = new PieceShape(count, 1);
            var half = new HalfMessage<Letter>();
            half.Begin(default, default, shape, count, 0);
            var missing = new List<int>();
            for (int i = 0; i < count; i++)
            {
                if (random.Next(3) == 0 && i > 0)
                {
                    half.Add(i, [0], 0);
                }
                else
                {
                    missing.Add(i);
                }
            }

            int bytes = half.WriteMissing(bitmap, out int first);
            var named = new List<int>();
            for (int i = 0; i < bytes * 8; i++)
            {
                if ((bitmap[i >> 3] >> (i & 7) & 1) != 0)
                {
                    named.Add(first + i);
                }
            }

            Assert.Equal(missing[0], first);
            Assert.Equal(missing.Where(i => i < first + 64), named);
            half.Close();
        }
    }

    [Fact]
    public void Bytes_number_and_number_per_sender_are_bounded()
    {
        var options = new MessageOptions
        {
            AssemblyBytes = 10_000,
            HalfArrived = 5,
            HalfArrivedPerSender = 3,
        };
        var inbox = new Inbox<Letter>(options);
        Assert.Null(inbox.Open(new MessageId(A, 1, 1), default, new PieceShape(9_900, 100), 0));
        for (uint i = 0; i < 3; i++)
        {
            Assert.NotNull(inbox.Open(new MessageId(A, 1, i), default, new PieceShape(200, 100), 0));
        }

        Assert.Null(inbox.Open(new MessageId(A, 1, 9), default, new PieceShape(200, 100), 0));
        Assert.NotNull(inbox.Open(new MessageId(B, 1, 1), default, new PieceShape(200, 100), 0));
        Assert.NotNull(inbox.Open(new MessageId(B, 1, 2), default, new PieceShape(200, 100), 0));
        Assert.Null(inbox.Open(new MessageId(B, 1, 3), default, new PieceShape(200, 100), 0));
        inbox.Clear();
        Assert.Equal((0, 0L), (inbox.Count, inbox.Bytes));
    }

    [Fact]
    public void Only_the_last_whole_messages_are_remembered()
    {
        var recent = new RecentIds(3);
        for (uint i = 0; i < 10; i++)
        {
            recent.Add(new MessageId(A, 1, i));
            recent.Add(new MessageId(A, 1, i));
            for (uint j = 0; j < 10; j++)
            {
                Assert.Equal(j <= i && i - j < 3, recent.Contains(new MessageId(A, 1, j)));
            }
        }
    }

    [Fact]
    public void A_stretch_of_head_and_tail_is_copied_whole()
    {
        var random = new Random(5);
        for (int i = 0; i < 2_000; i++)
        {
            byte[] content = TestBytes.Of(random.Next(0, 60), i);
            int head = random.Next(content.Length + 1),
                offset = random.Next(content.Length + 1);
            byte[] target = new byte[random.Next(content.Length - offset + 1)];
            Outgoing<Letter>.CopyContent(content.AsSpan(0, head), content.AsSpan(head), offset, target);
            Assert.Equal(content.AsSpan(offset, target.Length).ToArray(), target);
        }
    }
}
