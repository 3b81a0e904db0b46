require "redis"

one = Redis.new(port: ARGV[0].to_i)
other = Redis.new(port: ARGV[1].to_i)
raise "set" unless one.set("rb", "1") == "OK" && other.get("rb") == "1"
raise "incrby" unless other.incrby("rb", 41) == 42
raise "nx" if one.set("rb", "x", nx: true)
raise "expiry" unless one.set("rb:e", "v", px: 60_000) == "OK" && (50_000..60_000).cover?(other.pttl("rb:e"))
raise "mget" unless one.mget("rb", "rb:none") == ["42", nil]
raise "scan" unless other.scan_each(match: "rb*").to_a.sort == %w[rb rb:e]
done = one.watch("{rb}a") do
  one.multi do |transaction|
    transaction.set("{rb}a", "1")
    transaction.incr("{rb}a")
  end
end
raise "multi" unless done == ["OK", 2] && other.get("{rb}a") == "2"
answers = one.pipelined { |pipe| 100.times { |i| pipe.set("rb#{i}", i); pipe.get("rb#{i}") } }
raise "pipeline" unless answers.each_slice(2).map(&:last) == (0...100).map(&:to_s)
